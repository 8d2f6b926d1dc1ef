import { IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import {
  BooleanField,
  ChoicesField,
  Field,
  FieldOptions,
  IdField,
  IntegerField,
  ObjectField,
  isSet,
  PatternField,
  WordsField,
  UrlField,
} from '../../platform/api/fields/fields';
import { MAX_PAGE, type Page, PageInfo } from '../../platform/api/paging/pagination';
import { pick } from '../../platform/common/pick';
import { Count, Flag, Many, One, Time } from '../../platform/api/fields/shown';
import { COLOR, ORIGIN } from '../../platform/api/fields/schemas';
import { isOrigin, isWebOrigin } from '../../platform/api/fields/text';
import { type Jurisdiction, JURISDICTIONS } from '../jurisdictions';
import type { OfferLimit } from '../offer-limit';
import { OfferLimitDto } from './offer-limit.dto';
import { endOf } from '../counters/usage';
import { Workspace } from '../workspace.entity';
import { CreatedApiKeyDto } from './api-key.dto';
import { type Brand, NO_BRAND, PRIMARY_COLOR } from '../brand';
import { BrandChangesDto, BrandDto } from './brand.dto';

function OriginsField({ max, ...options }: FieldOptions & { max: number }) {
  return Field(
    options,
    { type: 'array', items: ORIGIN, maxItems: max },
    `must be a list of at most ${max} origins like https://acme.example: scheme, host and port, no path`,
    (value) =>
      Array.isArray(value) &&
      value.length <= max &&
      value.every((origin) => typeof origin === 'string' && origin.length <= 2048 && isOrigin(origin)),
  );
}

/** Nothing that means something in a Content-Security-Policy. */
const HOST = /^[a-z0-9.-]+(:\d+)?$/;

function HostsField({ max, ...options }: FieldOptions & { max: number }) {
  return Field(
    options,
    { type: 'array', items: { type: 'string', maxLength: 260 }, maxItems: max, uniqueItems: true },
    `must be a list of at most ${max} different hosts like cdn.acme.example: a name in small letters, and a port if it is not 443`,
    (value) =>
      isSet(value, max, (host) => typeof host === 'string' && HOST.test(host) && isWebOrigin(`https://${host}`)),
  );
}

/** The longest name. */
export const MAX_NAME = 200;

/** The settings that a workspace chooses for itself. */
export class WorkspaceSettingsDto {
  @WordsField({ description: 'The name of the workspace.', example: 'Acme', max: MAX_NAME })
  name: string;

  @PatternField(
    { description: "The widget's main colour, in hexadecimal form.", example: PRIMARY_COLOR, default: PRIMARY_COLOR },
    COLOR,
    'must be a colour in hexadecimal form, like #4f46e5',
  )
  primary_color: string;

  @UrlField({
    description: "The logo that the widget shows; '' for none.",
    example: 'https://acme.example/logo.svg',
    default: '',
    blank: true,
  })
  logo_url: string;

  @ObjectField({
    description: 'What else customers’ pages look like. Fields that are left out stay as they are.',
    of: () => BrandDto,
    default: NO_BRAND,
  })
  brand: Brand;

  @OriginsField({
    description:
      'Origins whose pages may start sessions. If empty, pages of every origin may. Pages in apps have `capacitor://localhost`, ' +
      '`ionic://localhost`, `tauri://localhost` or `app://` with a name.',
    example: ['https://acme.example'],
    default: [],
    max: 100,
  })
  allowed_origins: string[];

  @ChoicesField({
    description:
      'Where customers live, as far as rules on cancelling are known: the review of a flow goes by these. `us` is federal law; add the states.',
    values: JURISDICTIONS,
    example: ['de', 'eu'],
    default: [],
  })
  jurisdictions: Jurisdiction[];

  @HostsField({
    description:
      'Hosts from which pages and offers may load pictures, in addition to uploaded ones. A host sees the IP address of each customer who ' +
      'loads its pictures. Pictures that are live stay live when their host is removed.',
    example: ['cdn.acme.example'],
    default: [],
    max: 20,
  })
  image_hosts: string[];

  @BooleanField({
    description:
      'Whether a start has to name its customer by a `customer_token`. Any other start is refused, also one without a ' +
      'customer. Create a customer key first.',
    example: true,
    default: false,
  })
  require_customer_token: boolean;

  @ObjectField({
    description:
      'How often a customer may accept offers, whichever they are, in addition to the limit of each. It counts as the limit of an offer ' +
      'does: by the customer and by the subscription that a token names. null: no limit but theirs.',
    of: () => OfferLimitDto,
    default: null,
    nullable: true,
  })
  offer_limit: OfferLimit | null;

  @IntegerField({
    description:
      'How many days before an accepted discount, pause or extension ends the event `offer.ending` tells it. null: never.',
    example: 3,
    min: 1,
    max: 30,
    default: 3,
    nullable: true,
  })
  ending_notice_days: number | null;
}

/** The session limit of a workspace, and how much of it is used this month. */
class UsageDto {
  @Count.orNull(
    'Sessions that may start in a calendar month (UTC); null: any number. Only a test workspace may have none.',
    1_000_000,
  )
  session_limit: number | null;

  @Count('Sessions that have started this month.', 42)
  sessions_used: number;

  @Time('Start of the month, inclusive.', '2026-11-01T00:00:00.000Z')
  period_start: Date;

  @Time('End of the month, exclusive: the count starts again.', '2026-12-01T00:00:00.000Z')
  period_end: Date;

  static of({ session_limit, sessions_in_period, period }: Workspace): UsageDto {
    return { session_limit, sessions_used: sessions_in_period, period_start: period, period_end: endOf(period) };
  }
}

class WorkspaceIdDto {
  @IdField({ description: 'The id of the workspace.', example: '019a9f3c-6c1e-7d4a-9f0e-3b1f5a2c7d10' })
  id: string;
}

/** A workspace: a tenant with its own flows, offers, sessions and keys. */
export class WorkspaceDto extends IntersectionType(WorkspaceIdDto, WorkspaceSettingsDto) {
  @Flag(
    'Whether it is for tests: its time can pass, it can be deleted, and its webhooks say `livemode: false`. It never changes.',
    false,
  )
  test: boolean;

  @One(UsageDto)
  usage: UsageDto;

  @Time.like('2026-11-21T09:30:00.000Z')
  created_at: Date;

  static of(workspace: Workspace): WorkspaceDto {
    return {
      ...pick(workspace, [
        'id',
        'name',
        'primary_color',
        'logo_url',
        'brand',
        'allowed_origins',
        'jurisdictions',
        'image_hosts',
        'require_customer_token',
        'offer_limit',
        'ending_notice_days',
      ]),
      test: workspace.test,
      usage: UsageDto.of(workspace),
      created_at: workspace.created_at,
    };
  }
}

export class WorkspaceListDto extends PageInfo {
  @Many(WorkspaceDto, MAX_PAGE)
  workspaces: WorkspaceDto[];

  static of({ items, next_cursor }: Page<Workspace>): WorkspaceListDto {
    return { workspaces: items.map((workspace) => WorkspaceDto.of(workspace)), next_cursor };
  }
}

class CreatedWorkspaceKeyDto extends PickType(CreatedApiKeyDto, ['id', 'key']) {}

export class CreatedWorkspaceDto extends PickType(WorkspaceDto, ['id', 'name']) {
  @One(CreatedWorkspaceKeyDto, "The workspace's first API key, which may read and write.")
  api_key: CreatedWorkspaceKeyDto;
}

/** The settings that a workspace may change: all but its limit. */
export class UpdateOwnWorkspaceDto extends PartialType(OmitType(WorkspaceSettingsDto, ['brand']), {
  skipNullProperties: false,
}) {
  @ObjectField({
    description:
      'What else customers’ pages look like. Fields that are left out stay as they are; null takes one back.',
    of: () => BrandChangesDto,
    optional: true,
  })
  brand?: Partial<Brand>;
}

/** The settings that the operator may change. */
export class UpdateWorkspaceDto extends UpdateOwnWorkspaceDto {
  @IntegerField({
    description:
      'Sessions that may start in a calendar month (UTC). A new workspace without one gets DEFAULT_SESSION_LIMIT, one for tests no limit.',
    example: 1_000_000,
    min: 0,
    optional: true,
  })
  session_limit?: number;
}

/** The settings of a new workspace. */
export class CreateWorkspaceDto extends IntersectionType(
  PickType(WorkspaceSettingsDto, ['name']),
  OmitType(UpdateWorkspaceDto, ['name']),
) {
  @BooleanField({
    description:
      'Whether it is for tests. Its keys begin with `rf_test_`, its time can pass (`POST /api/v1/public/workspace/time`), it can be ' +
      'deleted, and without a `session_limit` any number of sessions may start. It can not be changed later.',
    example: true,
    default: false,
    optional: true,
  })
  test?: boolean;
}

export const ApiNewWorkspace = () =>
  ApiExamples(CreateWorkspaceDto, {
    'name only': { name: 'Acme' },
    'for tests': { name: 'Acme (test)', test: true },
    'all settings': {
      name: 'Acme',
      session_limit: 5000,
      primary_color: '#4f46e5',
      logo_url: 'https://acme.example/logo.svg',
      brand: { font: 'Inter, sans-serif', radius: '4px', scheme: 'auto' },
      allowed_origins: ['https://acme.example'],
      jurisdictions: ['de', 'eu'],
      image_hosts: ['cdn.acme.example'],
      require_customer_token: true,
      offer_limit: { accepted: 1, within_days: 90 },
      ending_notice_days: 7,
    },
  });

const OWN_CHANGES: Record<string, UpdateOwnWorkspaceDto> = {
  colour: { primary_color: '#4f46e5' },
  logo: { logo_url: 'https://acme.example/logo.svg' },
  'font and corners': { brand: { font: "Inter, 'Helvetica Neue', sans-serif", radius: '4px' } },
  'pages of one site only': { allowed_origins: ['https://acme.example'] },
  'customers in Germany': { jurisdictions: ['de', 'eu'] },
  'signed customers only': { require_customer_token: true },
  'one offer in 90 days': { offer_limit: { accepted: 1, within_days: 90 } },
};

export const ApiOwnWorkspaceChanges = () => ApiExamples(UpdateOwnWorkspaceDto, OWN_CHANGES);

export const ApiWorkspaceChanges = () =>
  ApiExamples(UpdateWorkspaceDto, { ...OWN_CHANGES, 'session limit': { session_limit: 5000 } });
