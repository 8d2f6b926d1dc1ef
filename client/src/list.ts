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
  then<Value = Page, Other = never>(
    fulfilled?: ((page: Page) => Value | PromiseLike<Value>) | null,
    failed?: ((error: unknown) => Other | PromiseLike<Other>) | null,
  ): Promise<Value | Other> {
    return this.firstPage().then(fulfilled, failed);
  }

  catch<Other = never>(failed?: ((error: unknown) => Other | PromiseLike<Other>) | null): Promise<Page | Other> {
    return this.firstPage().catch(failed);
  }

  finally(ended?: (() => void) | null): Promise<Page> {
    return this.firstPage().finally(ended);
  }

  private firstPage(): Promise<Page> {
    return (this.first ??= this.load({}));
  }
}
