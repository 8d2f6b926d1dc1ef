import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Config } from '../settings/config';
import { type FieldError, MAX_FIELD_ERRORS } from '../platform/api/problems/problem';
import { requireRoom } from '../platform/api/room';
import { pick } from '../platform/common/pick';
import { prepared, statement } from '../platform/database/transaction/statement';
import { now } from '../platform/database/time';
import { changedIn } from '../tenancy/log/change-log';
import { requireFreeKeys, setsKey } from '../tenancy/own-key';
import type { Tenant } from '../tenancy/work/tenant';
import { publisherIn } from '../tenancy/versions/versions';
import type { Work } from '../tenancy/work/work';
import { WorkspaceCounter } from '../workspaces/counters/workspace-counter.service';
import { aboutField, OFFER_CONTENT } from './fields';
import type { OfferContent } from './offer-content.entity';
import { contradictionsOf } from './terms/contradictions';
import { Offer } from './offer.entity';

/** A change of an offer under its lock. */
export type OfferChange = Partial<OfferContent> & Partial<Pick<Offer, 'key' | 'status'>>;

/** What is live after a change, and which of its words the terms contradict. */
export interface ChangedOffer {
  version: number;
  offer: OfferContent;
  warnings?: FieldError[];
}

/** Versions are numbered from 1 and never deleted, so the current one is how many an offer has. */
const COUNT = statement(
  `SELECT count(*)::int AS offers, COALESCE(sum(current_version), 0)::int AS offer_versions
  FROM offers WHERE workspace_id = :workspace`,
);

const contentOf = (table: string) => OFFER_CONTENT.map((field) => `${table}."${field}"`).join(', ');
const CONTENT = OFFER_CONTENT.map((field) => `"${field}"`).join(', ');

/** Copies what is live of offers into their versions, unless it is there. */
const KEEP_VERSIONS = prepared(
  'offer-versions-keep',
  `INSERT INTO offer_versions (workspace_id, offer_id, version, ${CONTENT}, note, published_by, created_at)
  SELECT workspace_id, id, current_version, ${CONTENT}, NULLIF(:note, ''), NULLIF(:publisher::jsonb, 'null'), updated_at
  FROM offers WHERE workspace_id = :workspace AND id = ANY (:offers) ON CONFLICT DO NOTHING`,
);

/** Gives what is live a number of its own, if its version has other content. */
const NUMBER_UNKEPT = prepared(
  'offer-number-unkept',
  `UPDATE offers SET current_version = current_version + 1
  WHERE workspace_id = :workspace AND id = :offer AND EXISTS (
    SELECT FROM offer_versions AS version
    WHERE version.workspace_id = :workspace AND version.offer_id = offers.id AND version.version = offers.current_version
      AND (${contentOf('version')}) IS DISTINCT FROM (${contentOf('offers')})
  ) RETURNING current_version`,
);

/** What the log says of a change, old and new. */
const LOGGED = OFFER_CONTENT.filter((field) => !aboutField(field).isLong);

/** The one way to write offers: under their locks, each with its next version in one transaction. */
@Injectable()
export class OfferChanges {
  constructor(
    private readonly counter: WorkspaceCounter,
    private readonly config: Config,
  ) {}

  /** Writes a change, as the next version if its content is another. */
  async write(work: Work, offer: Offer, change: OfferChange, note?: string): Promise<ChangedOffer> {
    if (setsKey(offer, change.key ?? undefined)) {
      await this.counter.lock(work);
      await requireFreeKeys(work, 'offers', [change.key]);
    }
    const others = changedIn(offer, pick(change, ['key', 'status']));
    const changed = OFFER_CONTENT.filter((field) => field in change && !isDeepStrictEqual(change[field], offer[field]));
    const isNew = changed.length > 0;
    const written = { ...offer, ...change };
    const warnings = contradictionsOf(written).slice(0, MAX_FIELD_ERRORS);
    const said = { offer: written, warnings: warnings.length > 0 ? warnings : undefined };
    let version = offer.current_version;
    if (!isNew && others.length === 0) return { version, ...said };
    if (isNew) {
      await this.requireRoom(work, offer);
      version = 1 + (await this.keepOlder(work, offer));
    }
    await work.update(Offer, offer.id, { ...change, current_version: version, updated_at: now });
    if (isNew) this.keep(work, [offer.id], publisherIn(work), note);
    const logged = changed.filter((field) => LOGGED.includes(field));
    work.log({
      action: change.status === 'archived' ? 'offer.archived' : 'offer.changed',
      subject: subjectOf(written),
      details: {
        fields: [...others, ...changed],
        ...(isNew && { version, note: note ?? null }),
        ...(logged.length > 0 && { before: pick(offer, logged), after: pick(written, logged) }),
      },
    });
    return { version, ...said };
  }

  /** Creates offers with their first versions. */
  async createAll(work: Work, offers: Omit<Offer, 'workspace_id' | 'current_version' | 'created_at' | 'updated_at'>[]) {
    await this.requireRoom(work, undefined, offers.length);
    const keys = offers.map(({ key }) => key);
    await requireFreeKeys(work, 'offers', keys);
    work.insert(Offer, ...offers.map((offer) => ({ ...offer, current_version: 1, created_at: now, updated_at: now })));
    const ids = offers.map(({ id }) => id);
    this.keep(work, ids, publisherIn(work));
    work.log(...offers.map((offer) => ({ action: 'offer.created' as const, subject: subjectOf(offer) })));
  }

  /**
   * Keeps what an older version of the service wrote, which made no version of it. Returns the number of the live
   * version.
   */
  private async keepOlder(work: Work, { id, current_version }: Offer): Promise<number> {
    const changed = await work.row<Pick<Offer, 'current_version'>>(NUMBER_UNKEPT, { offer: id });
    this.keep(work, [id], null);
    return changed?.current_version ?? current_version;
  }

  /** Sends the versions of what is live, without waiting for it. */
  private keep(work: Work, offers: string[], publisher: Tenant['actor'] | null, note = ''): void {
    work.enqueue(KEEP_VERSIONS, { offers, note, publisher: JSON.stringify(publisher) });
  }

  /**
   * Throws a 409 if the workspace may not have another version of an offer, or that many more offers with their first
   * versions. Archived ones count, because their rows are kept.
   */
  private async requireRoom(work: Work, offer: Offer | undefined, more = 1): Promise<void> {
    const counts = await this.counter.count(work, { offers: offer ? 0 : more, offer_versions: more }, COUNT);
    if (offer) requireRoom(offer.current_version, this.config.maxVersionsPerFlow, 'version_limit_reached');
    else requireRoom(counts.offers - 1, this.config.maxOffersPerWorkspace, 'offer_limit_reached');
    requireRoom(counts.offer_versions - 1, this.config.maxVersionsPerWorkspace, 'workspace_version_limit_reached');
  }
}

function subjectOf({ id, name }: Pick<Offer, 'id' | 'name'>) {
  return { type: 'offer' as const, id, name };
}
