import type { FlowNode, FlowNodeStats } from '@retention-flow/client';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { pictureUrl } from '../../pictures/picture-url';
import { href } from '../../shell/route';
import { Bars } from '../../ui/bars';
import { count, percent } from '../../ui/format';
import { bringIntoView } from '../../ui/in-view';
import { conditionWords } from './condition-words';
import { exitWords } from './exit-words';
import type { NodeNumbers } from './graph-numbers';
import { TYPE_NAMES } from './graph-outline';

type Offers = ReadonlyMap<string, { name: string }>;

interface NodePanelProps {
  node: FlowNode;
  offers: Offers;
  numbers: FlowNodeStats;
}

/** What a node says, and where sessions went from it. */
export function NodePanel({ node, offers, numbers }: NodePanelProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => bringIntoView(heading.current!), []);
  const own = numbers.nodes.find(({ node_key }) => node_key === node.key);
  return (
    <section class="node-panel" aria-labelledby="node-title">
      <h3 id="node-title" ref={heading}>
        {TYPE_NAMES[node.type]} <code>{node.key}</code>
      </h3>
      <Content node={node} offers={offers} />
      <Numbers node={node} numbers={own} />
    </section>
  );
}

function Content({ node, offers }: { node: FlowNode; offers: Offers }) {
  switch (node.type) {
    case 'offer': {
      const { offer_id: id } = node.config;
      return (
        <p>
          Presents <a href={href(`/offers/${id}`)}>{offers.get(id)?.name ?? 'an offer'}</a>.
        </p>
      );
    }
    case 'branch':
      return (
        <ol class="node-ways">
          {node.config.ways.map(({ when, next }, index) => (
            <li key={index}>
              If {conditionWords(when)}: to <code>{next}</code>
            </li>
          ))}
          <li>
            Otherwise: to <code>{node.next}</code>
          </li>
        </ol>
      );
    case 'split': {
      const { ways } = node.config;
      const whole = ways.reduce((sum, { weight }) => sum + weight, 0);
      return (
        <ul class="node-ways">
          {ways.map(({ name, weight, next, control }) => (
            <li key={name}>
              {name}: {percent(weight / whole)} to <code>{next}</code>
              {control && ' (control)'}
            </li>
          ))}
        </ul>
      );
    }
    case 'custom':
      return (
        <div>
          <p class="node-text">{node.config.title}</p>
          <p class="soft">
            Your site’s component <code>{node.config.kind}</code> shows it.
          </p>
        </div>
      );
    default:
      return (
        <div>
          <p class="node-text">{node.config.title}</p>
          {node.config.body && <p class="soft node-body">{node.config.body}</p>}
          {'points' in node.config && (
            <ul class="soft">
              {node.config.points?.map((point) => (
                <li key={point}>{point}</li>
              ))}
            </ul>
          )}
          {'image' in node.config && node.config.image && (
            <img class="picture-shown" src={pictureUrl(node.config.image.url)} alt={node.config.image.alt} />
          )}
        </div>
      );
  }
}

function Numbers({ node, numbers }: { node: FlowNode; numbers: NodeNumbers | undefined }) {
  if (!numbers || numbers.sessions === 0) return <p class="soft">No session came here in these days.</p>;
  const { sessions, in_progress, abandoned, exits } = numbers;
  const rows = [
    ...exits.map((exit) => [exitWords(node, exit), exit.sessions] as const),
    ['Left (abandoned)', abandoned] as const,
    ['Still here', in_progress] as const,
  ]
    .filter(([, value]) => value > 0)
    .map(([label, value], index) => ({
      key: String(index),
      label,
      value,
      part: 0,
      numbers: [count(value), percent(value / sessions)],
    }));
  return (
    <>
      <p>
        <b>{count(sessions)}</b> came
      </p>
      <Bars caption={`Where sessions went from ${node.key}`} columns={['Then', 'Sessions', 'Share']} rows={rows} />
    </>
  );
}
