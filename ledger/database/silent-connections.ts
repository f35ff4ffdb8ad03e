import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type pg from 'pg';

/*
 * A network that drops packets ends no connection. Whoever waits for an answer on it would wait until the machine's own
 * time-out, a quarter of an hour; and the server would keep the locks of a client that is gone for hours.
 */

/** For how long an answer may be outstanding before the server is asked whether it works on it. */
export const silenceMs = 15_000;

/** Of the server: it finds out within half a minute that a client is gone, and gives its locks back. */
const serverSettings = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '4',
  tcp_user_timeout: '30000',
  idle_in_transaction_session_timeout: '120000',
};

/** Of the driver's client, beside what its typings show. */
interface Inside {
  readonly connection: { readonly stream: { cork(): void; uncork(): void; destroy(error: Error): void } };
}

/** One connection as the server knows it; numbers alone are used again. */
export interface Backend {
  readonly pid: number;
  readonly since: string;
}

const backends = new WeakMap<object, Backend>();

/** Told of each new connection of a pool. */
export function introduce(client: pg.PoolClient): void {
  const settings = Object.entries(serverSettings).map(([name, value]) => `set_config('${name}', '${value}', false)`);
  // Asked for instead of taken from the handshake: a pooler in between has numbers of its own.
  const itself = `select pid, backend_start::text as since, ${settings.join(', ')} from pg_stat_activity`;
  client.query<Backend>(`${itself} where pid = pg_backend_pid()`).then(
    ({ rows }) => {
      const [backend] = rows;
      if (backend) backends.set(client, { pid: backend.pid, since: backend.since });
    },
    () => undefined, // what cannot be set stays as it is; a connection that is lost is found out by its next query
  );
}

interface Silence {
  readonly isWorking: (backend: Backend, isAnswered: () => boolean) => Promise<boolean>;
  readonly afterMs: number;
  readonly isGarbled: (error: unknown) => boolean;
}

/**
 * The pool, whose connections end when the server does not work on what was asked by them, cannot be reached, or when
 * what comes is no answer of it.
 *
 * @param isWorking asks the server, by a connection of its own, whether it works for this one, and has it ended there
 * otherwise: it may hold locks that whoever asks again would wait for. True where the answer has come meanwhile: it lay
 * there while this process was busy
 */
export function endingSilence(pool: pg.Pool, { isWorking, afterMs, isGarbled }: Silence): PostgresPool {
  const watched = new WeakMap<pg.PoolClient, PostgresPoolClient>();
  return {
    async connect() {
      const client = await pool.connect();
      const known = watched.get(client) ?? watch(client);
      watched.set(client, known);
      return known;
    },
    end: () => pool.end(),
  };

  function watch(client: pg.PoolClient): PostgresPoolClient {
    // One timer that is put off by each query, for a timer of each query costs a fiftieth of all that the books do.
    let outstanding = 0;
    let answers = 0;
    const timer = setInterval(() => {
      const before = answers;
      if (outstanding > 0) void look(client, () => answers > before);
    }, afterMs);
    timer.unref();
    client.once('end', () => clearInterval(timer));

    const { stream } = (client as unknown as Inside).connection;
    const query = async (...args: unknown[]) => {
      outstanding += 1;
      timer.refresh();
      // What a transaction asks for at once leaves in one packet.
      stream.cork();
      process.nextTick(() => stream.uncork());
      try {
        const answer = await (client.query as (...args: unknown[]) => Promise<unknown>)(...args);
        return Array.isArray(answer) ? answer.at(-1) : answer; // of several statements in one text, the last one's
      } catch (error) {
        if (isGarbled(error)) drop(client, 'what came is no answer of PostgreSQL');
        throw error;
      } finally {
        outstanding -= 1;
        answers += 1;
      }
    };
    return { query, release: (destroy?: boolean) => client.release(destroy) } as PostgresPoolClient; // no cursor is asked for
  }

  async function look(client: pg.PoolClient, isAnswered: () => boolean): Promise<void> {
    const backend = backends.get(client);
    if (backend && (await isWorking(backend, isAnswered).catch(isAnswered))) return;
    drop(client, 'the connection fell silent');
  }

  function drop(client: pg.PoolClient, why: string): void {
    const { connection } = client as unknown as Inside;
    connection.stream.destroy(Object.assign(new Error(why), { code: 'ETIMEDOUT' }));
  }
}
