import { render } from 'preact';
import { App } from './shell/app';

render(<App />, document.body);
