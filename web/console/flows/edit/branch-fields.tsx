import type { FlowNode } from '@retention-flow/client';
import { MAX_PATHS } from '../../../../src/flows/graph/graph-limits';
import { Conditions } from './conditions';
import { firstCondition } from './model/condition-values';
import { exitsOf, withNode } from './model/exits';
import { nodesBefore } from './model/walk';
import type { FieldsProps, NodeOf } from './node-fields';
import { ThenField } from './then-field';

type Way = NodeOf<'branch'>['config']['ways'][number];

/** Paths by what is known of a customer. The first path that fits is taken. */
export function BranchFields({ editing, node }: FieldsProps<NodeOf<'branch'>>) {
  const { graph, change, seen, offers, audiences } = editing;
  const surveys = nodesBefore(graph, node.key, 'survey');
  const pages = nodesBefore(graph, node.key, 'custom');
  const context = { surveys, pages, seen, offers, audiences };
  const { ways } = node.config;
  const exits = exitsOf(node);
  const replace = (ways: Way[], how: { said?: string; subject?: string }) =>
    change(
      withNode(graph, node.key, (): FlowNode => ({ ...node, config: { ways } })),
      how,
    );
  const add = () =>
    replace([...ways, { when: { all: [firstCondition(seen)] }, next: node.next }], {
      said: `Path ${ways.length + 1} is added.`,
    });
  return (
    <>
      <p class="soft">Customers take the first path whose conditions hold. Nobody sees this step.</p>
      <ol class="rows">
        {ways.map((way, index) => (
          <li key={index} class="row">
            <div class="row-line">
              <strong>Path {index + 1}</strong>
              <button
                type="button"
                class="quiet icon"
                aria-label={`Remove path ${index + 1}`}
                aria-disabled={ways.length === 1}
                onClick={() =>
                  ways.length > 1 && replace(ways.toSpliced(index, 1), { said: `Path ${index + 1} is removed.` })
                }
              >
                ✕
              </button>
            </div>
            <Conditions
              context={context}
              when={way.when}
              name={`path ${index + 1}`}
              onChange={(when, how) => replace(ways.with(index, { ...way, when }), how)}
            />
            <ThenField editing={editing} from={node.key} exit={exits[index]} label={`After path ${index + 1}`} />
          </li>
        ))}
      </ol>
      {ways.length < MAX_PATHS && (
        <button type="button" class="quiet" onClick={add}>
          Add path
        </button>
      )}
      <ThenField editing={editing} from={node.key} exit={exits.at(-1)!} label="Otherwise" />
    </>
  );
}
