/** What a comparison takes as its `value`. */
export function formOfValue(condition: { is: string }): 'one' | 'list' | 'number' | 'none' {
  const { is } = condition;
  if (is === '=' || is === '!=' || (is === 'includes' && 'answer' in condition)) return 'one';
  if (is === 'in' || is === 'not_in') return 'list';
  return is === 'exists' ? 'none' : 'number';
}
