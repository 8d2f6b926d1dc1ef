import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type {
  Answer,
  Body,
  OfferFlow,
  OfferFlowList,
  OfferList,
  OfferListItem,
  Query,
  VersionList,
  VersionListItem,
} from '../types.ts';
import { Resource } from './resource.ts';

/** Reusable alternatives to cancelling. */
export class Offers extends Resource {
  /** Offers, newest first. */
  list(query?: Query<'offers_list'>, options?: CallOptions): List<OfferList, OfferListItem> {
    return new List(
      (from) => this.connection.repeatable('get', '/api/v1/public/offers', { query: { ...query, ...from } }, options),
      ({ offers }) => offers,
    );
  }

  /** Creates an offer. */
  create(body: Body<'offers_create'>, options?: CreateOptions): Promise<Answer<'offers_create'>> {
    return this.connection.creating('/api/v1/public/offers', { body }, options);
  }

  /** Reads an offer. */
  get(id: string, options?: CallOptions): Promise<Answer<'offers_get'>> {
    return this.connection.repeatable('get', '/api/v1/public/offers/{id}', { path: { id } }, options);
  }

  /** The flows that name an offer, live or in a draft. */
  flows(id: string, query?: Query<'offers_flows'>, options?: CallOptions): List<OfferFlowList, OfferFlow> {
    return new List(
      (from) =>
        this.connection.repeatable(
          'get',
          '/api/v1/public/offers/{id}/flows',
          { path: { id }, query: { ...query, ...from } },
          options,
        ),
      ({ flows }) => flows,
    );
  }

  /**
   * Changes the fields that are given, as a new version. Sessions that were shown the offer keep what they were shown.
   */
  update(id: string, changes: Body<'offers_update'>, options?: ChangeOptions): Promise<Answer<'offers_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/offers/{id}', { path: { id }, body: changes }, options);
  }

  /** Archives an offer: flows pass over it from now on. */
  archive(id: string, options?: ChangeOptions): Promise<Answer<'offers_archive'>> {
    return this.connection.repeatable('delete', '/api/v1/public/offers/{id}', { path: { id } }, options);
  }

  /** Versions of an offer, newest first. */
  versions(id: string, query?: Query<'offers_versions'>, options?: CallOptions): List<VersionList, VersionListItem> {
    return new List(
      (from) =>
        this.connection.repeatable(
          'get',
          '/api/v1/public/offers/{id}/versions',
          { path: { id }, query: { ...query, ...from } },
          options,
        ),
      ({ versions }) => versions,
    );
  }

  /** Reads a version of an offer. It never changes. */
  version(id: string, version: number, options?: CallOptions): Promise<Answer<'offers_version'>> {
    return this.connection.repeatable(
      'get',
      '/api/v1/public/offers/{id}/versions/{version}',
      { path: { id, version } },
      options,
    );
  }

  /** Makes a new version with the content of an earlier one. */
  restore(
    id: string,
    version: number,
    body: Body<'offers_restore'> = {},
    options?: ChangeOptions,
  ): Promise<Answer<'offers_restore'>> {
    return this.connection.repeatable(
      'post',
      '/api/v1/public/offers/{id}/versions/{version}/restore',
      { path: { id, version }, body },
      options,
    );
  }

  /** Reads what is being edited of an offer, beside what is live. */
  draft(id: string, options?: CallOptions): Promise<Answer<'offers_draft'>> {
    return this.connection.repeatable('get', '/api/v1/public/offers/{id}/draft', { path: { id } }, options);
  }

  /** Changes the fields of the draft that are given. Without a draft, it begins as what is live. */
  saveDraft(
    id: string,
    changes: Body<'offers_saveDraft'>,
    options?: ChangeOptions,
  ): Promise<Answer<'offers_saveDraft'>> {
    return this.connection.repeatable(
      'put',
      '/api/v1/public/offers/{id}/draft',
      { path: { id }, body: changes },
      options,
    );
  }

  /** Deletes the draft. */
  deleteDraft(id: string, options?: ChangeOptions): Promise<Answer<'offers_deleteDraft'>> {
    return this.connection.repeatable('delete', '/api/v1/public/offers/{id}/draft', { path: { id } }, options);
  }

  /** Makes the draft the next version. */
  publishDraft(
    id: string,
    body: Body<'offers_publishDraft'> = {},
    options?: ChangeOptions,
  ): Promise<Answer<'offers_publishDraft'>> {
    return this.connection.once('/api/v1/public/offers/{id}/draft/publish', { path: { id }, body }, options);
  }
}
