import { useRef, useState } from 'preact/hooks';
import { MAX_POINT, MAX_POINTS } from '../../../src/images/image-limits';
import { TextArea } from '../ui/field';
import { type Translations, translationsOfPoints } from './points';

interface PointsFieldProps<Words extends object> {
  name: string;
  points: string[];
  translations: Translations<Words>;
  error?: string | undefined;
  onInput: (points: string[], translations: Translations<Words>) => void;
}

/** What customers would lose, or get: a point in each line. */
export function PointsField<Words extends object>({
  name,
  points,
  translations,
  error,
  onInput,
}: PointsFieldProps<Words>) {
  const [typed, setTyped] = useState(points.join('\n'));
  // They may be changed from elsewhere, such as taken back.
  const text = pointsIn(typed).join('\n') === points.join('\n') ? typed : points.join('\n');
  // Not what was there a letter ago: whoever writes all lines anew keeps the words of those that come back.
  const before = useRef({ points, translations });
  return (
    <div onFocusIn={() => (before.current = { points, translations })}>
      <TextArea
        name={name}
        label="Points"
        rows={3}
        hint={`What they would lose, or get: one in each line, at most ${MAX_POINTS} of ${MAX_POINT} characters.`}
        error={faultOf(points) ?? error}
        value={text}
        onInput={(value) => {
          setTyped(value);
          const after = pointsIn(value);
          onInput(after, translationsOfPoints(before.current.points, after, before.current.translations));
        }}
      />
    </div>
  );
}

/** The lines that say something. */
function pointsIn(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

function faultOf(points: string[]): string | undefined {
  if (points.length > MAX_POINTS) return `There are ${points.length}: at most ${MAX_POINTS} are shown.`;
  const long = points.findIndex((point) => [...point].length > MAX_POINT);
  return long < 0 ? undefined : `Line ${long + 1} has more than ${MAX_POINT} characters.`;
}
