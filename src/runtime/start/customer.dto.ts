import { ValidateIf, validateSync, type ValidationError } from 'class-validator';
import { CustomerIdField } from '../customer-id';
import {
  ChoiceField,
  DateField,
  EmailField,
  Field,
  IntegerField,
  isAttributeValue,
  ObjectField,
  TextField,
} from '../../platform/api/fields/fields';
import { isPlainObject } from '../../platform/common/json';
import { AmountField, CurrencyField } from '../../platform/api/fields/money';
import { jsonPointer } from '../../platform/api/problems/json-pointer';
import type { FieldError } from '../../platform/api/problems/problem';
import { pick } from '../../platform/common/pick';
import { ATTRIBUTES, MAX_ATTRIBUTES } from '../../platform/api/fields/schemas';
import { fieldErrors } from '../../platform/api/fields/validation';
import type { CustomerClaims } from '../../workspaces/customer-keys/customer-token';
import type { CustomerDetails } from '../../sessions/flow-session.entity';
import { INTERVALS, type Subscription } from './subscription';

export const SUBSCRIPTION_ID = {
  description: 'The id of the subscription in your billing system.',
  example: 'sub_1Q2w3E',
  max: 200,
};

/** The customer's subscription. */
export class SubscriptionDto implements Subscription {
  @TextField({ ...SUBSCRIPTION_ID, optional: true })
  id?: string;

  @AmountField({
    description: 'What the customer pays for an interval, in the smallest unit of the currency: 4990 is 49.90 EUR.',
    example: 4990,
  })
  amount: number;

  @CurrencyField({ description: 'ISO 4217, in capital or small letters.', example: 'EUR' })
  currency: string;

  @ChoiceField({ description: 'How often the customer pays it.', values: INTERVALS, example: 'month' })
  interval: Subscription['interval'];
}

/** What only a token says of a subscription: branches can go by it, where the service can ask no billing system. */
const PlanField = () => TextField({ description: 'The name of the product.', max: 200, optional: true });
const SinceField = () => DateField({ description: 'The date on which the subscription began.', optional: true });
const QuantityField = () => IntegerField({ description: 'Such as the number of seats.', min: 0, optional: true });

/** The subscription in a token. */
class SignedSubscriptionDto extends SubscriptionDto {
  @PlanField() plan?: string;
  @SinceField() since?: string;
  @QuantityField() quantity?: number;
}

/** The subscription in a token that says no price. */
class NamedSubscriptionDto {
  @ValidateIf(({ id, ...others }: NamedSubscriptionDto) => id !== undefined || !isFilled(others))
  @TextField(SUBSCRIPTION_ID)
  id?: string;

  @PlanField() plan?: string;
  @SinceField() since?: string;
  @QuantityField() quantity?: number;
}

const isFilled = (fields: object): boolean => Object.values(fields).some((value) => value !== undefined);

/** The customer who is about to leave, as the embedding site describes them. */
export class CustomerDto {
  @CustomerIdField({ description: "The customer's id in your own system." })
  id: string;

  @EmailField({ description: "The customer's e-mail address.", example: 'ada@example.com', optional: true })
  email?: string;

  @Field(
    {
      description: 'Anything else worth keeping with the session, such as the plan.',
      example: { plan: 'pro', seats: 12 },
      optional: true,
    },
    ATTRIBUTES,
    `must be an object of at most ${MAX_ATTRIBUTES} names and texts (1000 characters), numbers, booleans or nulls`,
    (value) =>
      isPlainObject(value) &&
      Object.keys(value).length <= MAX_ATTRIBUTES &&
      Object.values(value).every(isAttributeValue),
  )
  attributes?: CustomerDetails['attributes'];

  @ObjectField({
    description: 'What the subscription is worth, so that statistics can count money.',
    of: () => SubscriptionDto,
    optional: true,
  })
  subscription?: Subscription;
}

/** A customer as a token describes them, with fields that only a token may have. */
class SignedCustomerDto extends CustomerDto {
  @TextField({ description: 'The id of the customer in your billing system.', max: 200, optional: true })
  billing_id?: string;
}

/** The claims of a token that have another name here. */
const CLAIMS: Partial<Record<string, string>> = { billing_id: 'customer_id' };

/**
 * The customer of a token, with what is wrong with its optional claims: one that breaks a rule is left out. A bad
 * subscription keeps its id, if that is good. undefined if the id of the customer breaks a rule.
 */
export function customerOf(
  claims: CustomerClaims,
): { customer: SignedCustomerDto; warnings: FieldError[] } | undefined {
  const { sub: id, email, subscription, customer_id: billing_id } = claims;
  const { attributes, unread } = attributesOf(claims.attributes);
  const said = { id, email, attributes, subscription: known(subscription), billing_id };
  const customer = Object.assign(new SignedCustomerDto(), said);
  const faults = validateSync(customer);
  const faulty = faults.map(({ property }) => property as keyof SignedCustomerDto);
  if (faulty.includes('id')) return undefined;
  for (const property of faulty) delete customer[property];
  if (faulty.includes('subscription')) customer.subscription = sound(subscription);
  return { customer, warnings: [...fieldErrors(faults.map(asClaim), []), ...unread] };
}

/**
 * Attributes without those whose values can't be kept: customers write some of them, and a single one must not take the
 * others away.
 */
function attributesOf(claim: unknown): { attributes: unknown; unread: FieldError[] } {
  if (!isPlainObject(claim)) return { attributes: claim, unread: [] };
  const names = Object.keys(claim);
  const bad = names.filter((name) => !isAttributeValue(claim[name]));
  const good = names.filter((name) => !bad.includes(name));
  const message = 'must be text of at most 1000 characters, a number, a boolean or null';
  return {
    attributes: good.length > 0 || bad.length === 0 ? pick(claim, good) : undefined,
    unread: bad.slice(0, MAX_ATTRIBUTES).map((name) => ({ pointer: jsonPointer('attributes', name), message })),
  };
}

const asClaim = (fault: ValidationError): ValidationError => ({
  ...fault,
  property: CLAIMS[fault.property] ?? fault.property,
});

/** The claim's subscription by its id and price, or else its id alone: what of it is valid. */
function sound(claim: unknown): Subscription | undefined {
  if (!isPlainObject(claim)) return undefined;
  const { id, amount, currency, interval } = claim;
  const parts = [known({ id, amount, currency, interval }), known({ id })] as Subscription[];
  return parts.find((part) => validateSync(part).length === 0);
}

/** The claim as a DTO with the rules of a subscription. Its other fields are ignored, as other claims are. */
function known(claim: unknown): unknown {
  if (!isPlainObject(claim)) return claim;
  const { id, amount, currency, interval, plan, since, quantity } = claim;
  const price = { amount, currency, interval };
  const named = { id, plan, since, quantity };
  return isFilled(price)
    ? Object.assign(new SignedSubscriptionDto(), { ...named, ...price })
    : Object.assign(new NamedSubscriptionDto(), named);
}
