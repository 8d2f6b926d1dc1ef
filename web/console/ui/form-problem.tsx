import type { Form } from './form';
import { messageOf } from './problem';

/** Why a form could not be sent, and what is wrong that belongs to none of its fields. */
export function FormProblem({ form, fields }: { form: Form; fields: string[] }) {
  const messages = [...(form.error === undefined ? [] : [messageOf(form.error)]), ...form.otherErrors(fields)];
  if (messages.length === 0) return null;
  return (
    <div role="alert" class="notice error">
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}
