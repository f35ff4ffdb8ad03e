/** A picture of 8 by 8 pixels. */
export function picture(): File {
  return fileOf(
    'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mM4oSGHFTEMLQkAis5DgTU+dfUAAAAASUVORK5CYII=',
    { name: 'picture.png', type: 'image/png' },
  );
}

/** Two pictures of 16 by 16 pixels, 0.4 s: H.264 in MP4. */
export function film(): File {
  return fileOf(filmBytes.join(''), { name: 'film.mp4', type: 'video/mp4' });
}

const filmBytes = [
  'AAAAIGZ0eXBpc29tAAACAGlzb21pc28yYXZjMW1wNDEAAAMMbW9vdgAAAGxtdmhkAAAAAAAAAAAAAAAAAAAD6AAAAZAAAQAAAQAA',
  'AAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAA',
  'Alt0cmFrAAAAXHRraGQAAAADAAAAAAAAAAAAAAABAAAAAAAAAZAAAAAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAA',
  'AAAAAAAAAAAAAABAAAAAABAAAAAQAAAAAAAkZWR0cwAAABxlbHN0AAAAAAAAAAEAAAGQAAAAAAABAAAAAAHTbWRpYQAAACBtZGhk',
  'AAAAAAAAAAAAAAAAAAAoAAAAEABVxAAAAAAALWhkbHIAAAAAAAAAAHZpZGUAAAAAAAAAAAAAAABWaWRlb0hhbmRsZXIAAAABfm1p',
  'bmYAAAAUdm1oZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAT5zdGJsAAAAvnN0c2QA',
  'AAAAAAAAAQAAAK5hdmMxAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAAABAAEABIAAAASAAAAAAAAAABDExhdmMgbGlieDI2NAAAAAAA',
  'AAAAAAAAAAAAAAAAAAAAGP//AAAANGF2Y0MBZAAK/+EAF2dkAAqs2V7ARAAAAwAEAAADACg8SJZYAQAGaOvgZSyL/fj4AAAAABBw',
  'YXNwAAAAAQAAAAEAAAAUYnRydAAAAAAAADhoAAAClAAAABhzdHRzAAAAAAAAAAEAAAACAAAIAAAAABRzdHNzAAAAAAAAAAEAAAAB',
  'AAAAHHN0c2MAAAAAAAAAAQAAAAEAAAACAAAAAQAAABxzdHN6AAAAAAAAAAAAAAACAAAAFQAAAAwAAAAUc3RjbwAAAAAAAAABAAAD',
  'PAAAAD11ZHRhAAAANW1ldGEAAAAAAAAAIWhkbHIAAAAAAAAAAG1kaXJhcHBsAAAAAAAAAAAAAAAACGlsc3QAAAAIZnJlZQAAAClt',
  'ZGF0AAAAEWWIhAAQ//5NTgSJvOok0C7hAAAACEGaIWxD/9OA',
];

/** A tenth of a second of silence. */
export function sound(): File {
  const samples = 800;
  const header = new DataView(new ArrayBuffer(44));
  const text = (offset: number, word: string) => {
    for (let index = 0; index < word.length; index += 1) header.setUint8(offset + index, word.charCodeAt(index));
  };
  text(0, 'RIFF');
  header.setUint32(4, 36 + samples * 2, true);
  text(8, 'WAVEfmt ');
  header.setUint32(16, 16, true);
  header.setUint16(20, 1, true); // PCM
  header.setUint16(22, 1, true); // mono
  header.setUint32(24, 8_000, true);
  header.setUint32(28, 16_000, true);
  header.setUint16(32, 2, true);
  header.setUint16(34, 16, true);
  text(36, 'data');
  header.setUint32(40, samples * 2, true);
  return new File([new Uint8Array(header.buffer), new Uint8Array(samples * 2)], 'sound.wav', { type: 'audio/wav' });
}

export function note(): File {
  return new File(['The boat is red, and it has one sail.\n'], 'note.txt', { type: 'text/plain' });
}

function fileOf(base64: string, { name, type }: { readonly name: string; readonly type: string }): File {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], name, { type });
}

export function uploadForm(file: File, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', file);
  return form;
}
