import { isText } from '../../platform/api/fields/text';
import type { FieldError } from '../../platform/api/problems/problem';
import type { GivenFields } from '../model/provider';

const MAX_TEXT = 255;

/** The forms of what a connection to Stripe has, and what is said of anything else. */
const FORMS: Record<keyof GivenFields, { form: RegExp; message: string }> = {
  // A secret key (sk_…) may do everything.
  api_key: {
    form: /^rk_(test|live)_[A-Za-z0-9_]{8,}$/,
    message:
      'must be a restricted key (rk_…) with the permissions Subscriptions write, Coupons write and Invoices read',
  },
  account: { form: /^acct_[A-Za-z0-9]{8,}$/, message: 'must be the id of an account (acct_…)' },
  webhook_secret: {
    form: /^whsec_[A-Za-z0-9_+/=]{8,}$/,
    message: 'must be the signing secret of a webhook (whsec_…)',
  },
};

/** What is wrong with the fields that are given. */
export function faultsOfFields(fields: GivenFields): FieldError[] {
  return Object.entries(FORMS).flatMap(([name, { form, message }]) => {
    const value = fields[name as keyof GivenFields] ?? undefined;
    const fits = value === undefined || (isText(value, MAX_TEXT) && form.test(value));
    return fits ? [] : [{ pointer: `/${name}`, message }];
  });
}
