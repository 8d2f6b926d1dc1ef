import { Injectable } from '@nestjs/common';
import { EntityManager, Not } from 'typeorm';
import { newId } from '../../common/ids';
import { type Page, PageQuery, readPage } from '../../common/pagination';
import { Problem } from '../../common/problem';
import { Config } from '../../config';
import { ConnectionPool } from '../../database/connection-pool';
import { now, readTime } from '../../database/time';
import { Transactions } from '../../database/transactions';
import type { Actor } from '../../tenancy/actor';
import { hashOf } from '../api-key-secret';
import { ChangeLog } from '../../tenancy/changes/change-log.service';
import { type Role, ROLES } from '../../tenancy/role';
import { WorkspaceCodes } from '../workspace-codes.service';
import { Invitation } from './invitation.entity';
import { LinkMails } from './link-mails';
import { Member } from './member.entity';
import { OneTimeLink } from './one-time-link.entity';
import { Person } from './person.entity';
import { createToken, linkTo } from './token';

/** A person as the others of a workspace see them. */
export interface PersonOfWorkspace extends Pick<Person, 'id' | 'name' | 'email'> {
  role: Role;
  /** When they joined the workspace. */
  created_at: Date;
}

/** $1: a workspace, $2: the id that the page comes before, $3: the number of rows. */
const LIST = `
  SELECT person.id, person.name, person.email, member.role, member.created_at
  FROM members AS member JOIN people AS person ON person.id = member.person_id
  WHERE member.workspace_id = $1 AND member.person_id < $2 ORDER BY member.person_id DESC LIMIT $3`;

/** $1: a person, $2: another with the same address. In workspaces that both are in, the other's membership goes. */
const KEEP_HIGHER_ROLES = `
  WITH doubled AS (
    DELETE FROM members WHERE person_id = $2 AND workspace_id IN (SELECT workspace_id FROM members WHERE person_id = $1)
    RETURNING workspace_id, role
  )
  UPDATE members AS own SET role = doubled.role FROM doubled
  WHERE own.workspace_id = doubled.workspace_id AND own.person_id = $1
    AND array_position(ARRAY['${ROLES.join("', '")}'], doubled.role) > array_position(ARRAY['${ROLES.join("', '")}'], own.role)`;

/** A link, or null if only a mail has it. */
interface SentLink {
  link: string | null;
  mailed: boolean;
}

/** A link to set a new password is good for so long. */
const LINK_HOURS = 24;

/** The people of a workspace, and what they may do. */
@Injectable()
export class PeopleService {
  constructor(
    private readonly connections: ConnectionPool,
    private readonly codes: WorkspaceCodes,
    private readonly changes: ChangeLog,
    private readonly transactions: Transactions,
    private readonly mails: LinkMails,
    private readonly config: Config,
  ) {}

  list(workspaceId: string, page: PageQuery): Promise<Page<PersonOfWorkspace>> {
    return readPage(page, (before, take) =>
      this.connections.read<PersonOfWorkspace>('people', LIST, [workspaceId, before, take]),
    );
  }

  /** Lets a person join a workspace, as a part of other work. One who is in it keeps their role. */
  async join(
    workspaceId: string,
    person: Pick<Person, 'id' | 'name'>,
    role: Role,
    manager: EntityManager,
  ): Promise<void> {
    const { id, name } = person;
    const key = { workspace_id: workspaceId, person_id: id };
    if (await manager.existsBy(Member, key)) return;
    await manager.insert(Member, { ...key, role, created_at: now });
    const subject = { type: 'person' as const, id, name };
    await this.changes.append(
      workspaceId,
      { actor: { type: 'person', id, name }, action: 'person.joined', subject, details: { role } },
      manager,
    );
    // An owner of another workspace may have made one, who must not become this workspace's person by it.
    await manager.delete(OneTimeLink, { person_id: id });
  }

  /** Makes one person of several with the same address, who is in the workspaces of all of them, as a part of other work. */
  async merge({ id }: Pick<Person, 'id'>, others: Pick<Person, 'id'>[], manager: EntityManager): Promise<void> {
    for (const other of others) {
      await manager.query(KEEP_HIGHER_ROLES, [id, other.id]);
      await manager.update(Member, { person_id: other.id }, { person_id: id });
      await manager.update(Invitation, { created_by: other.id }, { created_by: id });
      await manager.update(OneTimeLink, { created_by: other.id }, { created_by: id });
      await manager.delete(Person, { id: other.id });
    }
  }

  /** Lets those who come with an address wait for each other, as a part of other work. */
  async lockAddress(email: string, manager: EntityManager): Promise<void> {
    await manager.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [email]);
  }

  /** Whether a person owns a workspace: links of those who don't any more have ended. */
  isOwner(workspaceId: string, id: string, manager: EntityManager): Promise<boolean> {
    return manager.existsBy(Member, { workspace_id: workspaceId, person_id: id, role: 'owner' });
  }

  /** Notes that a person has shown that an address is theirs, as a part of other work. Somebody else may have shown it before. */
  async prove({ id, email }: Pick<Person, 'id' | 'email'>, manager: EntityManager): Promise<void> {
    if (await manager.existsBy(Person, { email, email_proven: true })) return;
    await manager.update(Person, { id }, { email_proven: true });
  }

  changeRole(workspaceId: string, id: string, role: Role, actor: Actor): Promise<void> {
    return this.transactions.run(async (manager) => {
      const { person, member } = await this.lock(workspaceId, id, manager);
      if (member.role === 'owner' && role !== 'owner') await requireAnotherOwner(workspaceId, id, manager);
      await manager.update(Member, { workspace_id: workspaceId, person_id: id }, { role });
      if (role !== 'owner') await endLinksBy(workspaceId, id, manager);
      const details = { from: member.role, to: role };
      await this.changes.append(
        workspaceId,
        { actor, action: 'person.role_changed', subject: subjectOf(person), details },
        manager,
      );
    });
  }

  /** Takes a person out of a workspace. Their next request is refused. */
  remove(workspaceId: string, id: string, actor: Actor): Promise<void> {
    return this.transactions.run(async (manager) => {
      const { person, member } = await this.lock(workspaceId, id, manager);
      if (member.role === 'owner') await requireAnotherOwner(workspaceId, id, manager);
      await manager.delete(Member, { workspace_id: workspaceId, person_id: id });
      await endLinksBy(workspaceId, id, manager);
      await manager.delete(OneTimeLink, { workspace_id: workspaceId, person_id: id });
      await this.changes.append(workspaceId, { actor, action: 'person.removed', subject: subjectOf(person) }, manager);
      // Their sessions and links go with them.
      if (!(await manager.existsBy(Member, { person_id: id }))) await manager.delete(Person, { id });
    });
  }

  /**
   * Makes a link to set a new password. The person's earlier links end. The holder of the link can sign in as that person, so it is
   * mailed if the service sends mails, and it is refused for a person who is in another workspace, too.
   */
  async createPasswordLink(workspaceId: string, id: string, actor: Actor, base: string): Promise<SentLink> {
    const token = createToken();
    const hash = hashOf(token);
    const link = linkTo('password', token, this.config.publicUrl ?? base);
    const { email, expires_at } = await this.transactions.run(async (manager) => {
      const { person } = await this.lock(workspaceId, id, manager);
      if (await this.isElsewhere(workspaceId, id, manager)) throw new Problem('person_in_other_workspaces');
      await manager.delete(OneTimeLink, { person_id: id });
      const expires_at = new Date((await readTime(manager)).getTime() + LINK_HOURS * 60 * 60 * 1000);
      const maker = { workspace_id: workspaceId, created_by: actor.id, mailed_only: this.mails.isOn };
      await manager.insert(OneTimeLink, { hash, person_id: id, ...maker, expires_at });
      const subject = subjectOf(person);
      await this.changes.append(workspaceId, { actor, action: 'person.password_link_created', subject }, manager);
      return { email: person.email, expires_at: expires_at.toISOString() };
    });
    if (await this.mails.send(workspaceId, { id: newId(), email, link, expires_at }, actor))
      return { link: null, mailed: true };
    await this.transactions.run((manager) => manager.update(OneTimeLink, { hash }, { mailed_only: false }));
    return { link, mailed: false };
  }

  /** Whether a person is in other workspaces, too. */
  isElsewhere(workspaceId: string, id: string, manager: EntityManager): Promise<boolean> {
    return manager.existsBy(Member, { person_id: id, workspace_id: Not(workspaceId) });
  }

  /** A person of a workspace, under a lock. Changes of a workspace's people wait for each other, so that one owner stays. */
  private async lock(workspaceId: string, id: string, manager: EntityManager) {
    await this.codes.lock(workspaceId, manager);
    const lock = { mode: 'pessimistic_write' } as const;
    const person = await manager.findOne(Person, { where: { id }, lock });
    const member = await manager.findOneBy(Member, { workspace_id: workspaceId, person_id: id });
    if (!person || !member) throw new Problem('not_found');
    return { person, member };
  }
}

/** Ends the links that somebody made as an owner. */
async function endLinksBy(workspaceId: string, id: string, manager: EntityManager): Promise<void> {
  await manager.delete(Invitation, { workspace_id: workspaceId, created_by: id });
  await manager.delete(OneTimeLink, { workspace_id: workspaceId, created_by: id });
}

async function requireAnotherOwner(workspaceId: string, id: string, manager: EntityManager): Promise<void> {
  const another = { workspace_id: workspaceId, role: 'owner' as const, person_id: Not(id) };
  if (!(await manager.existsBy(Member, another))) throw new Problem('last_owner');
}

function subjectOf({ id, name }: Person) {
  return { type: 'person' as const, id, name };
}
