type OfBody = 'arrayBuffer' | 'blob' | 'body' | 'bodyUsed' | 'clone' | 'formData' | 'json' | 'text';

/** The types declare these as properties, which a class cannot override with methods. */
const Head = Response as unknown as new (body: null, init: ResponseInit) => Omit<Response, OfBody>;

/**
 * An answer whose content is in memory. A Response turns any body into a stream, which takes longer than everything
 * else about a small answer; this one does so only when it is read as a Response, and a port does not.
 */
export class MemoryAnswer extends Head implements Response {
  readonly content: Uint8Array<ArrayBuffer>;
  #read: Response | undefined;

  /** @param content text is sent as UTF-8. */
  constructor(content: Uint8Array<ArrayBuffer> | string, init: ResponseInit) {
    super(null, init);
    this.content = typeof content === 'string' ? Buffer.from(content) : content;
  }

  get #whole(): Response {
    this.#read ??= new Response(this.content, this);
    return this.#read;
  }

  get body() {
    return this.#whole.body;
  }

  get bodyUsed() {
    return this.#read?.bodyUsed ?? false;
  }

  arrayBuffer() {
    return this.#whole.arrayBuffer();
  }

  blob() {
    return this.#whole.blob();
  }

  clone() {
    return this.#whole.clone();
  }

  formData() {
    return this.#whole.formData();
  }

  json() {
    return this.#whole.json();
  }

  text() {
    return this.#whole.text();
  }
}
