import { titleOf, TYPE_NAMES } from '../graph/graph-outline';
import type { Editing } from './editing';
import { exitsOf } from './model/exits';
import { inOrder } from './model/walk';

/** The graph as a list: the same steps, arrows and buttons, one below the other. */
export function StepList({ editing: { graph, offers, faults, choice, choose } }: { editing: Editing }) {
  const titles = new Map(graph.nodes.map((node) => [node.key, titleOf({ ...node }, offers)]));
  const chosen = choice && 'node' in choice ? choice.node : undefined;
  return (
    <ol class="step-list" aria-label="Steps of the flow">
      {inOrder(graph).map((node) => (
        <li key={node.key} class={`is-${node.type}`}>
          <button
            type="button"
            class="step-choice"
            aria-pressed={node.key === chosen}
            onClick={() => choose({ node: node.key })}
          >
            <span class="soft">{TYPE_NAMES[node.type]}</span> <strong>{titles.get(node.key)}</strong>
            {faults.some(({ key }) => key === node.key) && <span class="wrong"> has a fault</span>}
          </button>
          <ul>
            {exitsOf(node).map(
              ({ path, target, label }) =>
                target !== undefined && (
                  <li key={path.join()}>
                    <span>
                      {label} → {titles.get(target) ?? target}
                    </span>
                    <button
                      type="button"
                      class="quiet icon"
                      aria-label={`Insert after ${titles.get(node.key)}, ${label}`}
                      onClick={() => choose({ arrow: { from: node.key, paths: [path] } })}
                    >
                      +
                    </button>
                  </li>
                ),
            )}
          </ul>
        </li>
      ))}
    </ol>
  );
}
