import { answer, type CallOptions, type CreateOptions } from '../connection.ts';
import { List } from '../list.ts';
import type { Answer, Body, OfferList, OfferListItem, Query } from '../types.ts';
import { Resource } from './resource.ts';

/** Reusable alternatives to cancelling. */
export class Offers extends Resource {
  /** Offers, newest first. */
  list(query?: Query<'offers_list'>, options?: CallOptions): List<OfferList, OfferListItem> {
    return new List(
      (from) =>
        answer(
          this.api.GET('/api/v1/public/offers', {
            params: { query: { ...query, ...from } },
            ...this.connection.repeatable(options),
          }),
        ),
      ({ offers }) => offers,
    );
  }

  /** Creates an offer. */
  create(body: Body<'offers_create'>, options?: CreateOptions): Promise<Answer<'offers_create'>> {
    return answer(this.api.POST('/api/v1/public/offers', { body, ...this.connection.creating(options) }));
  }

  /** Reads an offer. */
  get(id: string, options?: CallOptions): Promise<Answer<'offers_get'>> {
    return answer(
      this.api.GET('/api/v1/public/offers/{id}', { params: { path: { id } }, ...this.connection.repeatable(options) }),
    );
  }

  /** Changes the fields that are given. Sessions that were shown the offer keep what they were shown. */
  update(id: string, changes: Body<'offers_update'>, options?: CallOptions): Promise<Answer<'offers_update'>> {
    return answer(
      this.api.PUT('/api/v1/public/offers/{id}', {
        params: { path: { id } },
        body: changes,
        ...this.connection.repeatable(options),
      }),
    );
  }

  /** Archives an offer: flows pass over it from now on. */
  archive(id: string, options?: CallOptions): Promise<Answer<'offers_archive'>> {
    return answer(
      this.api.DELETE('/api/v1/public/offers/{id}', {
        params: { path: { id } },
        ...this.connection.repeatable(options),
      }),
    );
  }
}
