import { Component, type ReactNode } from 'react';

interface Props {
  children: ReactNode;
  /** In place of children that throw. */
  instead: ReactNode;
  onThrow?: () => void;
}

/** What throws is replaced. React tells the developer of the error. */
export class Guard extends Component<Props, { hasThrown: boolean }> {
  override state = { hasThrown: false };

  static getDerivedStateFromError() {
    return { hasThrown: true };
  }

  override componentDidCatch(): void {
    this.props.onThrow?.();
  }

  override render(): ReactNode {
    return this.state.hasThrown ? this.props.instead : this.props.children;
  }
}
