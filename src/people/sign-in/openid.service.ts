import { Injectable, Logger } from '@nestjs/common';
import type { Configuration } from 'openid-client';
import { newId } from '../../platform/api/ids';
import { isPlainObject } from '../../platform/common/json';
import { Problem } from '../../platform/api/problems/problem';
import { EMAIL } from '../../platform/api/fields/schemas';
import { isText } from '../../platform/api/fields/text';
import { Config, type OpenIdSettings } from '../../settings/config';
import { NOW, now } from '../../platform/database/time';
import { theServiceIn } from '../../tenancy/work/tenant';
import { UnitsOfWork } from '../../tenancy/work/units-of-work.service';
import type { Work } from '../../tenancy/work/work';
import { type Role, ROLES } from '../../tenancy/access/role';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { Invitation } from '../invitations/invitation.entity';
import { PeopleService } from '../members/people.service';
import { PersonSessions, type SignedIn } from './person-sessions.service';
import { Person } from '../person.entity';
import { groupRolesIn } from './group-roles';
import { SignInService } from './sign-in.service';

/** Ties the answer of the provider to the browser that asked. */
interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** The provider's claims about a person. */
interface Claims {
  /** Issuer and subject, which together are one person for ever. */
  subject: string;
  /** Verified by the provider, in lower case. */
  email: string;
  /** undefined: it sent none. */
  name?: string;
  role?: Role;
  /** Why `role` is missing. */
  withoutRole: string;
}

/** Why nobody is signed in, for the log. The message names nobody. */
class Refusal extends Error {}

/** SQL that is true if an invitation is the operator's, or if its maker still owns the workspace. */
const MADE_BY_OWNER = `(invitation.created_by IS NULL OR EXISTS (SELECT FROM members
  WHERE members.workspace_id = invitation.workspace_id AND person_id = invitation.created_by AND members.role = 'owner'))`;

/** The most that somebody may be called. */
const MAX_NAME = 200;

/** Signs people in with OpenID Connect: the code flow with PKCE, state and nonce. */
@Injectable()
export class OpenIdService {
  private readonly logger = new Logger(OpenIdService.name);
  private readonly roles: Map<string, Role>;
  private discovered?: Promise<Configuration>;

  constructor(
    private readonly signIn: SignInService,
    private readonly people: PeopleService,
    private readonly sessions: PersonSessions,
    private readonly workspaces: WorkspacesService,
    private readonly units: UnitsOfWork,
    private readonly config: Config,
  ) {
    this.roles = groupRolesIn(config.openId?.roles ?? '');
  }

  /** Where to send a browser, and what it keeps until it comes back. */
  async begin(base: string): Promise<{ url: string; kept: string }> {
    const { buildAuthorizationUrl, calculatePKCECodeChallenge, ...client } = await import('openid-client');
    const checks: Checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(await this.provider(), {
      redirect_uri: this.callback(base),
      scope: this.settings().scopes,
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, kept: Buffer.from(JSON.stringify(checks)).toString('base64url') };
  }

  /** Signs in whom the provider sends back; undefined if they may not. The log says why. */
  async finish(query: Record<string, string>, kept: string | undefined, base: string): Promise<SignedIn | undefined> {
    const refuse = (why: string): undefined => {
      this.logger.warn(`A sign-in with OpenID Connect failed: ${why}`);
    };
    const claims = await this.claimsOf(query, kept, base).catch((error: Error) => refuse(reasonOf(error)));
    if (!claims) return undefined;
    const admitted = await this.units
      .run(theServiceIn(), (work) => this.admit(work, claims))
      .catch((error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      });
    return admitted instanceof Refusal ? refuse(admitted.message) : admitted;
  }

  private async claimsOf(query: Record<string, string>, kept: string | undefined, base: string): Promise<Claims> {
    if (!kept) throw new Refusal('the browser did not begin it, or began it more than ten minutes ago');
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
    const { state, nonce, verifier } = JSON.parse(Buffer.from(kept, 'base64url').toString()) as Checks;
    const provider = await this.provider();
    const url = new URL(`${this.callback(base)}?${new URLSearchParams(query).toString()}`);
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
    const tokens = await authorizationCodeGrant(provider, url, checks);
    const { iss, sub } = tokens.claims()!;
    const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore ? await fetchUserInfo(provider, tokens.access_token, sub) : {};
    const { email, email_verified, name, ...others } = { ...tokens.claims()!, ...more } as Record<string, unknown>;
    if (!isText(email, EMAIL.maxLength))
      throw new Refusal('the provider sent no "email" that can be used: see OIDC_SCOPES');
    this.requireVerified(email_verified);
    return {
      subject: `${iss} ${sub}`,
      email: email.toLowerCase(),
      name: isText(name, MAX_NAME) && name.trim() ? name : undefined,
      ...this.roleIn(others),
    };
  }

  /** OpenID Connect Core 1.0, 5.1: a boolean. Amazon Cognito sends it as a string, Microsoft Entra ID not at all. */
  private requireVerified(claim: unknown): void {
    if (claim === undefined && !this.settings().trustEmail)
      throw new Refusal('the provider does not say whether the address is verified: see OIDC_TRUST_EMAIL');
    if (claim !== undefined && claim !== true && claim !== 'true') throw new Refusal('the address is not verified');
  }

  /** The highest role of the groups of a person. */
  private roleIn(claims: Record<string, unknown>): Pick<Claims, 'role' | 'withoutRole'> {
    const { rolesClaim } = this.settings();
    const found = rolesClaim && valueAt(claims, rolesClaim);
    // Zitadel sends an object, whose keys are the roles.
    const groups: unknown[] = isPlainObject(found) ? Object.keys(found) : [found ?? []].flat();
    const own = groups.map((group) => (typeof group === 'string' ? this.roles.get(group) : undefined));
    const withoutRole = !rolesClaim
      ? 'OIDC_ROLES_CLAIM is not set'
      : found === undefined
        ? `the provider sent no claim "${rolesClaim}"`
        : `none of ${groups.length} groups has a role in OIDC_ROLES`;
    return { role: ROLES.findLast((role) => own.includes(role)), withoutRole };
  }

  /**
   * Signs in a person who is known, is invited, or has a role by their groups. Nobody else. A refusal that is returned
   * keeps what groups have taken; one that is thrown changes nothing.
   */
  private async admit(work: Work, claims: Claims): Promise<SignedIn | Refusal> {
    const { manager } = work;
    const { subject, email, role, withoutRole } = claims;
    const { syncsRoles } = this.settings();
    const first = role || syncsRoles ? work.within(await this.workspaces.first(work)) : undefined;
    if (first) await this.people.lockPeople(first);
    await this.people.lockAddress(work, email);
    const invitations = await manager
      .createQueryBuilder(Invitation, 'invitation')
      .where(`invitation.email = :email AND invitation.expires_at > ${NOW} AND ${MADE_BY_OWNER}`, { email })
      .getMany();
    const known = await this.find(work, claims);
    const isRemoved = first !== undefined && (await this.people.hasRemoved(first, subject));
    const joins = role !== undefined && !isRemoved;
    if (!known && !joins && invitations.length === 0) {
      const why = role ? 'an owner has removed them from the workspace' : withoutRole;
      throw new Refusal(`nobody has invited the address, and ${why}`);
    }
    const person = known ?? (await this.insert(work, claims));
    for (const { hash, workspace_id, role } of invitations) {
      // Somebody may have accepted it by its link meanwhile.
      const { affected } = await manager.delete(Invitation, { hash });
      if (affected) await this.people.join(work, workspace_id, person, role);
    }
    if (first && joins) await this.people.join(work, first.workspaceId, person, role, 'none');
    if (first && syncsRoles) await this.people.followGroups(first, person, role);
    if (!(await manager.existsBy(Person, { id: person.id })))
      return new Refusal(`their groups alone brought them into the workspace, and ${withoutRole}`);
    return this.signIn.begin(work, person);
  }

  private async insert({ manager }: Work, { subject, email, name }: Claims): Promise<Person> {
    const id = newId();
    const person = { id, email, name: name ?? email, openid_subject: subject, email_proven: true, created_at: now };
    await manager.insert(Person, person);
    return manager.findOneByOrFail(Person, { id });
  }

  /**
   * Finds the person by the subject, else by the address, and stores what the provider says of them now. People with
   * the address who never signed in here become this person: they may not have proved that it is theirs. Another
   * subject with the address has lost it.
   */
  private async find(work: Work, { subject, email, name }: Claims): Promise<Person | undefined> {
    const { manager } = work;
    const lock = { mode: 'pessimistic_write' } as const;
    const bySubject = await manager.findOne(Person, { where: { openid_subject: subject }, lock });
    const order = { email_proven: 'DESC', id: 'ASC' } as const;
    const holders = await manager.find(Person, { where: { email }, order, lock });
    const others = holders.filter(({ openid_subject }) => openid_subject === null);
    const person = bySubject ?? others.shift();
    const former = holders.filter(({ id, openid_subject }) => id !== person?.id && openid_subject !== null);
    for (const { id } of former) await manager.update(Person, { id }, { email_proven: false });
    if (!person) return undefined;
    if (others.length > 0) await this.people.merge(work, person, others);
    const fields = { email, email_proven: true, ...(name !== undefined && { name }) };
    if (bySubject) {
      await manager.update(Person, { id: person.id }, fields);
    } else {
      await manager.update(Person, { id: person.id }, { ...fields, openid_subject: subject, password: null });
      await this.sessions.endAll(work, person.id);
    }
    return manager.findOneByOrFail(Person, { id: person.id });
  }

  /** Read when it is first needed, and again if that failed: the service starts without its provider. */
  private provider(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.settings();
    this.discovered ??= import('openid-client').then(({ allowInsecureRequests, discovery }) =>
      discovery(new URL(issuer), clientId, clientSecret, undefined, {
        execute: issuer.startsWith('http:') ? [allowInsecureRequests] : [],
        timeout: 10,
      }),
    );
    this.discovered.catch((error: Error) => {
      this.logger.warn(`The OpenID provider can't be read: ${reasonOf(error)}`);
      this.discovered = undefined;
    });
    return this.discovered.catch(() => {
      throw new Problem('service_unavailable');
    });
  }

  private callback(base: string): string {
    return `${this.config.publicUrl ?? base}/api/v1/auth/openid/callback`;
  }

  private settings(): OpenIdSettings {
    if (!this.config.openId) throw new Problem('not_found');
    return this.config.openId;
  }
}

/**
 * A claim, or what is in it: of Keycloak, `resource_access.flows.acme.example.roles`. Names of claims and of clients
 * may have dots of their own, as URLs do.
 */
function valueAt(claims: unknown, path: string): unknown {
  if (!isPlainObject(claims)) return undefined;
  if (Object.hasOwn(claims, path)) return claims[path];
  const names = Object.keys(claims).filter((name) => path.startsWith(`${name}.`));
  return names.map((name) => valueAt(claims[name], path.slice(name.length + 1))).find((value) => value !== undefined);
}

/** The most characters of a part of a reason: whoever calls the callback may write `error_description`. */
const MAX_REASON = 200;

/** An error with its cause, and with what the provider says of it (RFC 6749, 4.1.2.1 and 5.2). */
function reasonOf({ message, cause, error, error_description }: OpenIdError): string {
  const parts = [message, cause instanceof Error && cause.message, error, error_description];
  return parts.flatMap((part) => (typeof part === 'string' && part ? part.slice(0, MAX_REASON) : [])).join(': ');
}

type OpenIdError = Error & { error?: unknown; error_description?: unknown };
