import { Component, type ComponentChildren } from 'preact';
import { Page } from '../ui/page';
import { messageOf } from '../ui/problem';

/** A page, or, if it can't be drawn, why: the menu stays, and the other pages work. */
export class Unbroken extends Component<{ children: ComponentChildren }, { error?: unknown }> {
  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render() {
    if (this.state.error === undefined) return this.props.children;
    return (
      <Page title="This page broke">
        <div role="alert">
          <p>The console has a fault. Everything you saved is still there.</p>
          <p class="soft">{messageOf(this.state.error)}</p>
        </div>
        <button type="button" class="primary" onClick={() => this.setState({ error: undefined })}>
          Open it again
        </button>
      </Page>
    );
  }
}
