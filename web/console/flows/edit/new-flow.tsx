import { useState } from 'preact/hooks';
import { href, navigate } from '../../shell/route';
import { useSession } from '../../shell/session';
import { TextField } from '../../ui/field';
import { text, useForm } from '../../ui/form';
import { FormProblem } from '../../ui/form-problem';
import { toast } from '../../ui/toast';
import type { ChosenOffer } from './chosen-offer';
import { TEMPLATES } from './model/templates';

/** Creates a flow from a template; it is a draft, and opened to be edited. */
export function NewFlow({ offers }: { offers: ChosenOffer[] }) {
  const { client } = useSession();
  const [chosen, setChosen] = useState(TEMPLATES[0]);
  const form = useForm(async (fields) => {
    const { id } = await client.flows.create({
      name: text(fields, 'name'),
      product_name: text(fields, 'product_name'),
      cancellation_url: text(fields, 'cancellation_url'),
      ...chosen.make(offers),
    });
    navigate(`/flows/${id}/edit`);
    toast('The flow is created. No customer sees it until you publish it.');
  });
  const field = (name: string) => ({ name, required: true, error: form.errorOf(name) });
  return (
    <form class="card" onSubmit={form.run}>
      <fieldset class="modes">
        <legend>Begin with</legend>
        {TEMPLATES.map((template) => (
          <label key={template.id} class="mode">
            <input
              type="radio"
              name="template"
              aria-label={template.name}
              aria-describedby={`about-${template.id}`}
              checked={template === chosen}
              onChange={() => setChosen(template)}
            />
            <span>
              <strong>{template.name}</strong>
              <span id={`about-${template.id}`} class="soft">
                {template.about}
              </span>
            </span>
          </label>
        ))}
      </fieldset>
      {offers.length === 0 && (
        <p class="notice warning">
          There are no offers yet, so the flow begins without any. <a href={href('/offers/new')}>Create an offer</a>
        </p>
      )}
      <div class="columns">
        <TextField {...field('name')} label="Name" hint="What your team calls it." maxLength={200} />
        <TextField
          {...field('product_name')}
          label="Product"
          hint="What customers are about to cancel, as they know it."
          maxLength={200}
        />
      </div>
      <TextField
        {...field('cancellation_url')}
        label="Cancellation page"
        hint="Where customers who cancel are sent, such as https://acme.example/account/cancel."
        type="url"
      />
      <FormProblem form={form} fields={['name', 'product_name', 'cancellation_url']} />
      <div class="actions">
        <a class="quiet" href={href('/flows')}>
          Cancel
        </a>
        <button type="submit" class="primary" disabled={form.isBusy}>
          Create flow
        </button>
      </div>
    </form>
  );
}
