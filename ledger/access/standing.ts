import type { Kysely } from 'kysely';
import type { Actor, Role } from '../../domain/roles.js';
import type { Tables } from '../database/tables.js';
import { howToBegin, type Registration, registrationOf, rolesOfPerson } from './registration.js';

/** What a person who came with certain roles has of them at this moment. */
export interface Standing {
  readonly registration: Registration;
  readonly roles: readonly Role[];
  readonly isRegistered: boolean;
  /** Why they can do nothing here, whatever their roles. */
  readonly barred: string | null;
}

/** The books decide: who was removed, or worked alone until somebody was registered, has no role any more. */
export async function standingOf(db: Kysely<Tables>, actor: Actor): Promise<Standing> {
  const registration = await registrationOf(db);
  if (registration !== 'alone' && actor.alone) {
    const barred = registration === 'people' ? peopleAreRegistered : howToBegin;
    return { registration, roles: [], isRegistered: false, barred };
  }
  const registered = await rolesOfPerson(db, actor.name);
  const isRegistered = registered !== null && registered.length > 0;
  const roles = registered ?? actor.roles;
  const isStranger = registration === 'nobody' && roles.length === 0;
  return { registration, roles, isRegistered, barred: isStranger ? howToBegin : null };
}

const peopleAreRegistered = 'people are registered in this ledger; set GREENLIGHT_TOKEN to the token you were given';
