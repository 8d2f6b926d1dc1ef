import { MAX_PATHS, MAX_WEIGHT } from '../../../../src/flows/graph/graph-limits';
import { withAt } from '../../../../src/platform/common/with-at';
import { percent } from '../../ui/format';
import { CommittedInput } from './committed-input';
import { writer } from './editing';
import { exitsOf, lastPageOf, withNode } from './model/exits';
import { freeName } from './model/new-nodes';
import type { FieldsProps, NodeOf } from './node-fields';
import { ThenField } from './then-field';

type Arms = NodeOf<'split'>['config']['ways'];

/** An experiment: its arms, and how many customers get each. */
export function SplitFields({ editing, node }: FieldsProps<NodeOf<'split'>>) {
  const { graph, change } = editing;
  const arms = node.config.ways;
  const write = writer(editing, node.key);
  const exits = exitsOf(node);
  const whole = arms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const replace = (ways: Arms, said: string) =>
    change(
      withNode(graph, node.key, () => ({ ...node, config: { ...node.config, ways } })),
      { said },
    );
  const add = () => {
    const name = freeName(
      'arm',
      arms.map((arm) => arm.name),
    );
    replace([...arms, { name, weight: arms[0].weight, next: lastPageOf(graph) }], `Arm ${name} is added.`);
  };
  /** The control leads straight to a last page. */
  const setControl = (index: number, isControl: boolean) => {
    const isLast = graph.nodes.some(({ key, type }) => key === arms[index].next && type === 'confirm');
    const ways = arms.map((arm, at) =>
      at === index && isControl
        ? { ...arm, control: true, next: isLast ? arm.next : lastPageOf(graph) }
        : withAt(arm, ['control'], undefined),
    );
    replace(ways, isControl ? `${arms[index].name} is the control.` : 'There is no control.');
  };
  return (
    <>
      <p class="soft">Each customer gets one arm at random, and the same one each time. Nobody sees this step.</p>
      <div class="weights" aria-hidden="true">
        {arms.map(({ name, weight }, index) => (
          <span key={index} style={{ flexGrow: weight }} title={name} />
        ))}
      </div>
      <ul class="rows">
        {arms.map(({ name, weight, control = false }, index) => (
          <li key={index} class="row">
            <div class="row-line">
              <div class="field">
                <label for={`arm-${index}`}>Arm {index + 1}</label>
                <CommittedInput
                  id={`arm-${index}`}
                  value={name}
                  maxLength={64}
                  onCommit={(text) => {
                    const others = arms.toSpliced(index, 1).map((arm) => arm.name);
                    write(['config', 'ways', index, 'name'], freeName(text, others));
                  }}
                />
              </div>
              <div class="field weight">
                <label for={`weight-${index}`}>
                  Weight<span class="unseen"> of arm {index + 1}</span>
                </label>
                <CommittedInput
                  id={`weight-${index}`}
                  type="number"
                  min={0}
                  max={MAX_WEIGHT}
                  step={1}
                  value={weight}
                  onCommit={(text) => {
                    const isWeight = /^\d+$/.test(text) && Number(text) <= MAX_WEIGHT;
                    if (isWeight) write(['config', 'ways', index, 'weight'], Number(text));
                  }}
                />
              </div>
              <strong>{percent(weight / whole)}</strong>
              <button
                type="button"
                class="quiet icon"
                aria-label={`Remove arm ${name}`}
                aria-disabled={arms.length === 2}
                onClick={() => arms.length > 2 && replace(arms.toSpliced(index, 1), `Arm ${name} is removed.`)}
              >
                ✕
              </button>
            </div>
            <label class="check">
              <input
                type="checkbox"
                checked={control}
                onChange={(event) => setControl(index, event.currentTarget.checked)}
              />
              {name} is the control: no offer
            </label>
            <ThenField
              editing={editing}
              from={node.key}
              exit={exits[index]}
              label={`After ${name}`}
              onlyLast={control}
            />
          </li>
        ))}
      </ul>
      {arms.length < MAX_PATHS && (
        <button type="button" class="quiet" onClick={add}>
          Add arm
        </button>
      )}
    </>
  );
}
