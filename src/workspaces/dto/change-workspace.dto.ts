import { OmitType, PartialType } from '@nestjs/swagger';
import { ApiExamples } from '../../common/api-examples';
import { BooleanField, Field, FieldOptions, IntegerField, TextField, UrlField } from '../../common/fields';
import { COLOR, ORIGIN } from '../../common/schemas';
import { isWebOrigin } from '../../common/text';

export const MAX_ORIGINS = 100;

function ColorField(options: FieldOptions) {
  return Field(
    options,
    COLOR,
    'must be a colour in hexadecimal form, like #4f46e5',
    (value) => typeof value === 'string' && new RegExp(COLOR.pattern).test(value),
  );
}

function OriginsField({ max, ...options }: FieldOptions & { max: number }) {
  return Field(
    options,
    { type: 'array', items: ORIGIN, maxItems: max },
    `must be a list of at most ${max} origins like https://acme.example: scheme, host and port, no path`,
    (value) =>
      Array.isArray(value) &&
      value.length <= max &&
      value.every((origin) => typeof origin === 'string' && origin.length <= 2048 && isWebOrigin(origin)),
  );
}

/** The settings of a new workspace. */
export class CreateWorkspaceDto {
  @TextField({ description: 'The name of the workspace.', example: 'Acme', max: 200 })
  name: string;

  @IntegerField({
    description:
      'Sessions that may start in a calendar month (UTC). A new workspace without one gets DEFAULT_SESSION_LIMIT.',
    example: 1000,
    min: 0,
    optional: true,
  })
  session_limit?: number;

  @ColorField({
    description: "The widget's main colour, in hexadecimal form.",
    example: '#4f46e5',
    default: '#4f46e5',
    optional: true,
  })
  primary_color?: string;

  @UrlField({
    description: "The logo that the widget shows; '' for none.",
    example: 'https://acme.example/logo.svg',
    default: '',
    blank: true,
    optional: true,
  })
  logo_url?: string;

  @OriginsField({
    description: 'Origins whose pages may start sessions. If empty, pages of every origin may.',
    example: ['https://acme.example'],
    default: [],
    max: MAX_ORIGINS,
    optional: true,
  })
  allowed_origins?: string[];

  @BooleanField({
    description:
      'Whether a start has to name its customer by a `customer_token`. Any other start is refused, also one without a ' +
      'customer. Create a customer key first.',
    example: true,
    default: false,
    optional: true,
  })
  require_customer_token?: boolean;
}

/** The settings that the operator may change. */
export class UpdateWorkspaceDto extends PartialType(CreateWorkspaceDto, { skipNullProperties: false }) {}

/** The settings that a workspace may change: all but its limit. */
export class UpdateOwnWorkspaceDto extends OmitType(UpdateWorkspaceDto, ['session_limit']) {}

export const ApiNewWorkspace = () =>
  ApiExamples(CreateWorkspaceDto, {
    'name only': { name: 'Acme' },
    'all settings': {
      name: 'Acme',
      session_limit: 5000,
      primary_color: '#4f46e5',
      logo_url: 'https://acme.example/logo.svg',
      allowed_origins: ['https://acme.example'],
      require_customer_token: true,
    },
  });

const OWN_CHANGES: Record<string, UpdateOwnWorkspaceDto> = {
  colour: { primary_color: '#4f46e5' },
  logo: { logo_url: 'https://acme.example/logo.svg' },
  'pages of one site only': { allowed_origins: ['https://acme.example'] },
  'signed customers only': { require_customer_token: true },
};

export const ApiOwnWorkspaceChanges = () => ApiExamples(UpdateOwnWorkspaceDto, OWN_CHANGES);

export const ApiWorkspaceChanges = () =>
  ApiExamples(UpdateWorkspaceDto, { ...OWN_CHANGES, 'session limit': { session_limit: 5000 } });
