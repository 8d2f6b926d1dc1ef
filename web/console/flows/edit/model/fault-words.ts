import type { BodyError, FlowDefinition, FlowNode } from '@retention-flow/client';

/** Something that is wrong, in words, and at which node. */
export interface Fault {
  /** Undefined if it is not at a node. */
  key: string | undefined;
  words: string;
}

const SENTENCES: Record<string, string> = {
  'cannot be reached': 'No customer can come here. Let another step lead to it, or remove it.',
  'must not be an offer, a branch or a split':
    'A flow begins with a page or a survey. Add a first page, or remove what comes before them.',
  'is not the key of a survey': 'It asks for the answer to a survey that is not in the flow any more.',
  'is not a survey before this branch': 'It asks for the answer to a survey that customers have not seen by then.',
  'is not the key of a node of type custom': 'It asks for the result of a page that is not in the flow any more.',
  'is not a node before this branch': 'It asks for the result of a page that customers have not seen by then.',
  'is not an option of the survey': 'It asks for an answer that the survey does not have.',
  'is not the key of a node': 'It leads to a step that is not in the flow.',
  'leads back in a circle': 'It leads back to a step that customers have seen.',
  'start is only for the entry': 'A first page can only be at the beginning.',
  'must be a confirm, because the arm is the control':
    'The control of an experiment leads straight to a last page: its customers see no offer.',
  'must have an arm with a weight above 0': 'One arm needs a weight above 0.',
};

const FIELDS: Record<string, string> = {
  name: 'The name',
  product_name: 'The product',
  cancellation_url: 'The cancellation page',
  offer_ids: 'An offer',
};

/** What the service found wrong with a flow, each with a pointer into it, in words for people. */
export function faultsInWords(faults: BodyError[], definition: FlowDefinition | undefined): Fault[] {
  return faults.map(({ pointer, message }) => {
    const [field, inner, index, ...path] = pointer.split('/').slice(1);
    if (field === 'survey') return { key: undefined, words: sentence(message, placeOf(['config', inner, index])) };
    if (field !== 'definition') return { key: undefined, words: `${FIELDS[field] ?? field} ${message}.` };
    const node = inner === 'nodes' ? definition?.nodes[Number(index)] : undefined;
    const key = inner === 'entry' ? definition?.entry : node?.key;
    return { key, words: sentence(message, node && placeOf(path, node)) };
  });
}

function sentence(message: string, place: string | undefined): string {
  const known = SENTENCES[message];
  if (known) return place ? `${place}: ${known}` : known;
  return `${place ?? 'It'} ${message === 'must not be blank' ? 'is empty' : message}.`;
}

/** Which part of a node a path leads to; without one, of the survey of a simple flow. */
function placeOf([first, field, index, inner]: string[], node?: FlowNode): string | undefined {
  if (first === 'next') return undefined;
  const number = Number(index) + 1;
  switch (field) {
    case 'title':
      return 'Title';
    case 'body':
      return 'Text';
    case 'points':
      return index === undefined ? 'Points' : `Point ${number}`;
    case 'image':
      return index === 'alt' ? 'Description of the picture' : 'Picture';
    case 'translations':
      return `Words in ${index}`;
    case 'kind':
      return 'Kind';
    case 'data':
      return 'Data';
    case 'offer_id':
      return 'Offer';
    case 'options':
      return index === undefined ? 'Answers' : `Answer ${number}`;
    case 'ways':
      if (index === undefined) return undefined;
      if (node?.type === 'split') return `Arm ${node.config.ways[Number(index)].name}`;
      return inner === 'when' ? `Path ${number}, conditions` : `Path ${number}`;
    default:
      return undefined;
  }
}
