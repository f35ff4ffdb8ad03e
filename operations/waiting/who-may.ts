import { type Act, type Actor, type Role, rolesFor } from '../../domain/roles.js';
import { listPeople } from '../../ledger/access/people.js';
import type { Ledger } from '../../ledger/ledger.js';
import { namesOf } from '../../reports/wording/decision-words.js';
import { whoApproves } from '../people.js';

/** The people of a ledger, read once for all reasons of a batch. */
export interface WhoMay {
  /**
   * Who may do it, for this reader: `dana or lee (finance)`, `you`, or what is missing when nobody has the role. Null
   * when nobody is registered: then the reader may.
   */
  toAct(act: Act): string | null;
  /** The same for the approval of a batch, where the submitter does not count. */
  toApprove(submittedBy: string): Promise<string | null>;
}

export async function whoMay(ledger: Ledger, actor: Actor): Promise<WhoMay> {
  const people = await listPeople(ledger);
  return {
    toAct(act) {
      if (people.length === 0) return null;
      const roles = rolesFor(act);
      if (roles.some((role) => actor.roles.includes(role))) return 'you';
      const others = people.filter((person) => roles.some((role) => person.roles.includes(role)));
      return whoWords(others, roles[0]);
    },
    async toApprove(submittedBy) {
      const { isActor, others } = await whoApproves({ ledger }, { submittedBy, actor });
      if (people.length === 0) return null;
      return isActor
        ? 'you'
        : whoWords(
            others.map((name) => ({ name })),
            'finance',
          );
    },
  };
}

function whoWords(people: readonly { readonly name: string }[], role: Role | undefined): string {
  const named = role ?? 'admin';
  if (people.length === 0) return `nobody with the ${named} role yet (an admin adds somebody by greenlight people add)`;
  return `${namesOf(people.map(({ name }) => name))} (${named})`;
}
