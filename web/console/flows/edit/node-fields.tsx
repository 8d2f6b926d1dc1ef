import type { FlowNode } from '@retention-flow/client';
import { OfferPicture } from '../../offers/offer-picture';
import { PictureField } from '../../pictures/picture-field';
import { PointsField } from '../../pictures/points-field';
import { href } from '../../shell/route';
import { useSession } from '../../shell/session';
import { TextField } from '../../ui/field';
import { JsonArea } from '../../ui/json-area';
import { useLoading } from '../../ui/loading';
import { BranchFields } from './branch-fields';
import { activeOffers } from './chosen-offer';
import { type Editing, writer } from './editing';
import { withAnswersOf } from './model/answers';
import { exitsOf, withNode } from './model/exits';
import { SplitFields } from './split-fields';
import { SurveyWords } from './survey-words';
import { TextFields } from './text-fields';
import { ThenField } from './then-field';

export interface FieldsProps<Node extends FlowNode = FlowNode> {
  editing: Editing;
  node: Node;
}

export type NodeOf<Type extends FlowNode['type']> = Extract<FlowNode, { type: Type }>;

/** Everything that a node says and does. */
export function NodeFields({ editing, node }: FieldsProps) {
  switch (node.type) {
    case 'survey':
      return <SurveyFields editing={editing} node={node} />;
    case 'offer':
      return <OfferFields editing={editing} node={node} />;
    case 'custom':
      return <CustomFields editing={editing} node={node} />;
    case 'branch':
      return <BranchFields editing={editing} node={node} />;
    case 'split':
      return <SplitFields editing={editing} node={node} />;
    default:
      return (
        <>
          <TextFields
            title={node.config.title}
            body={node.config.body}
            onInput={(field, text) => writer(editing, node.key)(['config', field], text)}
          />
          <PointsField
            key={node.key}
            name="node-points"
            points={node.config.points ?? []}
            translations={node.config.translations ?? {}}
            onInput={(points, translations) => writePoints(editing, node, points, translations)}
          />
          <PictureField
            key={`${node.key} picture`}
            name="node-image"
            image={node.config.image ?? null}
            errorOf={() => undefined}
            onInput={(image) => writer(editing, node.key)(['config', 'image'], image ?? undefined)}
          />
          <Thens editing={editing} node={node} />
        </>
      );
  }
}

function writePoints(
  editing: Editing,
  node: NodeOf<'start' | 'confirm'>,
  points: string[],
  translations: NonNullable<(typeof node)['config']['translations']>,
): void {
  const { points: _, ...rest } = node.config;
  const config = {
    ...rest,
    ...(points.length > 0 && { points }),
    ...(node.config.translations && { translations }),
  };
  writer(editing, node.key)(['config'], config);
}

/** A page that the site shows. */
function CustomFields({ editing, node }: FieldsProps<NodeOf<'custom'>>) {
  const write = writer(editing, node.key);
  const { title, kind, data } = node.config;
  return (
    <>
      <TextField
        name="node-title"
        label="Title"
        maxLength={200}
        hint="What customers read where your component is not there, such as in the script of this service. They can go on."
        value={title}
        onInput={(text) => write(['config', 'title'], text)}
      />
      <TextField
        name="node-kind"
        label="Kind"
        maxLength={64}
        pattern="[A-Za-z0-9_\-]{1,64}"
        hint="A word that tells your site which of its components to show, such as nps."
        value={kind}
        onInput={(text) => write(['config', 'kind'], text)}
      />
      <JsonArea
        key={node.key}
        name="node-data"
        label="Data"
        hint="JSON for that component. Customers’ browsers get it. Empty: none."
        value={data}
        onInput={(value) => write(['config', 'data'], value ?? undefined)}
      />
      <Thens editing={editing} node={node} />
    </>
  );
}

function OfferFields({ editing, node }: FieldsProps<NodeOf<'offer'>>) {
  const { offers } = editing;
  const { client } = useSession();
  const id = node.config.offer_id;
  const { value: shown } = useLoading((signal) => client.offers.get(id, { signal }), [id]);
  const chosen = offers.get(id);
  const names = activeOffers(offers).map((offer) => [offer.id, offer.name] as const);
  return (
    <>
      <div class="field">
        <label for="node-offer">Offer</label>
        <select
          id="node-offer"
          value={id}
          onChange={(event) => writer(editing, node.key)(['config', 'offer_id'], event.currentTarget.value)}
        >
          {(!chosen || chosen.isArchived) && <option value={id}>{chosen ? `${chosen.name}, archived` : id}</option>}
          {names.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
        <div class="about">
          {chosen?.isArchived && <span class="wrong">Archived: customers do not see it.</span>}
          <span class="hint">
            Customers who accept it stay. <a href={href(`/offers/${id}`)}>Change its words</a> in all flows.
          </span>
        </div>
      </div>
      {shown?.id === id && <OfferPicture offer={shown} />}
      <Thens editing={editing} node={node} />
    </>
  );
}

function Thens({ editing, node }: FieldsProps) {
  return (
    <>
      {exitsOf(node).map((exit) => (
        <ThenField key={exit.path.join()} editing={editing} from={node.key} exit={exit} label={exit.label} />
      ))}
    </>
  );
}

/** A question: its words, its answers and where each leads. */
function SurveyFields({ editing, node }: FieldsProps<NodeOf<'survey'>>) {
  const exits = exitsOf(node);
  const then = (index: number, label: string) => (
    <ThenField editing={editing} from={node.key} exit={exits.at(index)!} label={label} />
  );
  return (
    <SurveyWords
      config={node.config}
      isHeard={editing.isHeard}
      afterAnswer={(index) => then(index, `After answer ${index + 1}`)}
      onChange={(config, { said, subject }) => {
        const graph = withNode(editing.graph, node.key, () => ({ ...node, config }));
        const isOther = Boolean(config.multiple) !== Boolean(node.config.multiple);
        editing.change(isOther ? withAnswersOf(graph, node.key, Boolean(config.multiple)) : graph, {
          ...(said && { said }),
          ...(subject && { subject: `${node.key} ${subject}` }),
        });
      }}
    >
      {then(-1, 'After all other answers')}
    </SurveyWords>
  );
}
