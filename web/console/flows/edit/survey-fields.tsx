import { withAnswersOf } from './model/answers';
import { exitsOf, withNode } from './model/exits';
import type { FieldsProps, NodeOf } from './node-fields';
import { SurveyWords } from './survey-words';
import { ThenField } from './then-field';

/** A question: its words, its answers and where each leads. */
export function SurveyFields({ editing, node }: FieldsProps<NodeOf<'survey'>>) {
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
