import type { CallOptions, ChangeOptions, CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, OfferFlow, OfferFlowList, OfferList, OfferListItem, Query } from '../types.ts';
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

  /** Changes the fields that are given. Sessions that were shown the offer keep what they were shown. */
  update(id: string, changes: Body<'offers_update'>, options?: ChangeOptions): Promise<Answer<'offers_update'>> {
    return this.connection.repeatable('put', '/api/v1/public/offers/{id}', { path: { id }, body: changes }, options);
  }

  /** Archives an offer: flows pass over it from now on. */
  archive(id: string, options?: ChangeOptions): Promise<Answer<'offers_archive'>> {
    return this.connection.repeatable('delete', '/api/v1/public/offers/{id}', { path: { id } }, options);
  }
}
