import { TextArea, TextField } from '../../ui/field';

interface TextFieldsProps {
  title: string;
  body: string | undefined;
  onInput: (field: 'title' | 'body', text: string | undefined) => void;
}

/** What customers read first. */
export function TextFields({ title, body = '', onInput }: TextFieldsProps) {
  return (
    <>
      <TextField
        name="node-title"
        label="Title"
        maxLength={200}
        value={title}
        onInput={(text) => onInput('title', text)}
      />
      <TextArea
        name="node-body"
        label="Text"
        rows={3}
        maxLength={5000}
        hint="{{first_name|there}} shows the first name of the customer, and “there” to those whose name you don’t know."
        value={body}
        onInput={(text) => onInput('body', text || undefined)}
      />
    </>
  );
}
