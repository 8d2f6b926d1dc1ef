import { ApiExtraModels } from '@nestjs/swagger';
import { AllGroup, AnyGroup, type ConditionGroup, WhenField } from '../../conditions/condition.dto';
import { BooleanField, IntegerField, KeyField, ListField } from '../../platform/api/fields/fields';
import { MAX_PATHS, MAX_WEIGHT, PLANNED_DAYS } from '../graph/graph-limits';

const NEXT = { description: 'The key of the node that this path leads to.', example: 'confirm' };

@ApiExtraModels(AllGroup, AnyGroup)
export class BranchPath {
  @WhenField('`all` or `any` of these conditions must hold.')
  when: ConditionGroup;

  @KeyField(NEXT)
  next: string;
}

export class BranchConfig {
  @ListField({
    description: 'The customer takes the first path whose conditions hold.',
    classes: [BranchPath],
    what: 'ways',
    min: 1,
    max: MAX_PATHS,
  })
  ways: BranchPath[];
}

export class SplitArm {
  @KeyField({ description: 'Unique in its split. Statistics count by it.', example: 'discount' })
  name: string;

  @IntegerField({
    description:
      "The share of the customers who get this arm is its weight / the sum of the split's weights. 0: nobody.",
    example: 50,
    min: 0,
    max: MAX_WEIGHT,
  })
  weight: number;

  @KeyField(NEXT)
  next: string;

  @BooleanField({
    description:
      'true: the control of the experiment, whose customers see no offer. It leads straight to a `confirm`. A split has at ' +
      'most one.',
    example: false,
    optional: true,
  })
  control?: boolean;
}

export class SplitConfig {
  @ListField({
    description: 'The arms to compare. One of them has a weight above 0.',
    classes: [SplitArm],
    what: 'ways',
    min: 2,
    max: MAX_PATHS,
  })
  ways: SplitArm[];

  @KeyField({
    description:
      'What the draw is made with, besides the customer. Without it, customers are drawn anew whenever the arms, their weights or ' +
      '`planned_days` change. Splits with the same salt, names and weights give a customer the same arm, in other flows of the workspace, too, ' +
      'and after a change of weights most returning customers keep theirs. Another salt draws anew.',
    example: 'price_test_2027',
    optional: true,
  })
  salt?: string;

  @IntegerField({
    description:
      'How many days the experiment is read before it is decided: the rule spends its chance of error over them. null: nobody plans, and ' +
      'it may be read for as long as you like, which needs more customers. Another number draws anew, as other arms or weights do.',
    example: PLANNED_DAYS.usual,
    min: PLANNED_DAYS.min,
    max: PLANNED_DAYS.max,
    default: PLANNED_DAYS.usual,
    optional: true,
    nullable: true,
  })
  planned_days?: number | null;
}
