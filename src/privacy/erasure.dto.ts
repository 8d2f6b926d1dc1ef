import { TextField } from '../platform/api/fields/fields';
import { Count, True } from '../platform/api/fields/shown';

export class CustomerParams {
  @TextField({ description: "The customer's id in your own system.", max: 200 })
  customer_id: string;
}

export class ErasedDto {
  @True()
  erased: true;

  @Count('The number of sessions that the customer was erased from.', 3)
  sessions: number;
}
