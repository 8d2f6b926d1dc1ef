import { ownButtonIn } from './own-button';

describe('The cancel button of a page', () => {
  it.each([
    ['opens a flow', '<a href="/exit/leaving" data-retention-flow="leaving">Cancel</a>', { button: 'flow' }],
    [
      'is an element that opens one',
      '<retention-flow flow="leaving" message-cancel="Go">',
      { button: 'flow', cancel_label: 'Go' },
    ],
    [
      'has words of its own',
      `<p><a href='/'>Home</a> <A DATA-RETENTION-FLOW=leaving data-message-cancel=' No > thanks '>`,
      { button: 'flow', cancel_label: 'No > thanks' },
    ],
    [
      'leads to the exit page',
      '<a class=x href="https://flows.acme.example/exit/leaving?lang=de#x">',
      { button: 'exit_page' },
    ],
    [
      'sends a form there',
      '<form method="post" action="/exit/leaving"><button>Cancel</button></form>',
      { button: 'exit_page' },
    ],
    ['leads to the exit page of another flow', '<a href="/exit/leaving-too">', { button: 'elsewhere' }],
    ['leads nowhere', '<a>', { button: 'elsewhere' }],
    ['is not there', 'Cancel <b>now</b>', undefined],
    ['is not typed to its end', '<a href="/exit/leav', undefined],
  ])('%s', (_, html, own) => expect(ownButtonIn(html, 'leaving')).toEqual(own));
});
