import { beginning, changed, redone, undone } from './history';

it('Keys that are pressed in one field are undone as one', () => {
  let history = changed(beginning(''), 'a', 'title');
  history = changed(history, 'ab', 'title');
  history = changed(history, 'ab!', 'body');
  expect(undone(history).now).toBe('ab');
  expect(undone(undone(history)).now).toBe('');
  expect(redone(undone(undone(history))).now).toBe('ab');
});

it('A field is undone apart from what was changed in it before something was undone', () => {
  const history = changed(undone(changed(changed(beginning(''), 'a', 'title'), 'ab', 'body')), 'abc', 'title');
  expect(undone(history).now).toBe('a');
});
