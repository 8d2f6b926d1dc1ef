/**
 * A list of the service, newest first. Awaited, it is its first page, as the service answers it. Iterated with
 * `for await`, it is all its items, page by page. Nothing is sent before, and the first page is read once for both.
 */
export class List<Page extends { next_cursor: string | null }, Item> implements Promise<Page>, AsyncIterable<Item> {
  readonly [Symbol.toStringTag] = 'List';
  private first?: Promise<Page>;

  constructor(
    private readonly load: (from: { cursor?: string }) => Promise<Page>,
    private readonly itemsOf: (page: Page) => Item[],
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let page = await this.firstPage();
    yield* this.itemsOf(page);
    while (page.next_cursor !== null) {
      page = await this.load({ cursor: page.next_cursor });
      yield* this.itemsOf(page);
    }
  }

  // It is meant to be awaited.
  // oxlint-disable-next-line unicorn/no-thenable
  readonly then: Promise<Page>['then'] = (...handlers) => this.firstPage().then(...handlers);
  readonly catch: Promise<Page>['catch'] = (handler) => this.firstPage().catch(handler);
  readonly finally: Promise<Page>['finally'] = (handler) => this.firstPage().finally(handler);

  private firstPage(): Promise<Page> {
    return (this.first ??= this.load({}));
  }
}
