import { Field } from '../../platform/api/fields/fields';
import { WEB_URL } from '../../platform/api/fields/schemas';
import { isText, isWebUrl } from '../../platform/api/fields/text';
import { BUTTON_TARGETS, type FlowInstall } from '../review/button';

const isTarget = (value: unknown) => (BUTTON_TARGETS as readonly unknown[]).includes(value);

export class FlowInstallDto implements FlowInstall {
  @Field(
    {
      description:
        'Where the cancel button of your pages leads: `widget`, to this flow, as the snippet of the console does; `exit`, straight to ' +
        '`/exit/:slug`; or the URL of a page. One that ends with `/exit/` or `/leave/` and the slug is that page of the service, at whatever ' +
        'host; the review can’t see others.',
      example: 'exit',
    },
    { anyOf: [{ type: 'string', enum: BUTTON_TARGETS }, WEB_URL] },
    `must be ${BUTTON_TARGETS.join(', ')}, or the URL of a page (http or https) of at most ${WEB_URL.maxLength} characters`,
    (value) => isTarget(value) || (isText(value, WEB_URL.maxLength) && isWebUrl(value)),
  )
  button_leads_to: string;
}
