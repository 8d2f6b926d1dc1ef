import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { type FieldError, Problem } from '../../platform/api/problems/problem';
import { DtoPipe } from '../../platform/api/fields/validation';
import { Config } from '../../settings/config';
import { problemOfPostgres } from '../../platform/database/transaction/postgres-errors';
import type { DeclarationKind } from '../../flows/flow-exit';
import { FlowLookup } from '../../flows/lookup/flow-lookup.service';
import type { Declaration } from '../declaration.entity';
import { DeclarationsService } from '../declarations.service';
import { DeclareDto } from '../dto/declare.dto';
import { type ExitFlow, ExitFlows, isOpen, type OpenExitFlow } from '../exit-flows.service';
import type { ExitRequest } from '../exit-request';
import { htmlOfReceipt, partOfReceipt, receiptOf, textOfReceipt } from '../receipt';
import { EXIT_WORDS, type ExitWords, filled } from '../words/exit-words';
import { FORM_FIELDS, type FormField, type FormView, formPage, otherWays, pageOf, shownWords } from './form';
import { escaped } from './html';
import { leavePage, type LeaveQuery } from './leave';

/** How long a declaration may take. Less than the deadline of a request, whose response would not be a page. */
const PATIENCE_MS = 7000;

/** A form as it was sent. */
export type Sent = Record<string, unknown>;

/** The response to a browser: a page, a file or a redirect. */
export interface ExitPage {
  status: number;
  flow?: ExitFlow;
  body?: string;
  /** Whether the widget runs in the page. */
  hasWidget?: true;
  /** The name of a file to save. */
  file?: string;
  location?: string;
  retryAfter?: number;
}

/** The pages on which customers leave: the form, the receipt, and the page of a flow. */
@Injectable()
export class ExitPages {
  private readonly logger = new Logger(ExitPages.name);
  private readonly pipe = new DtoPipe();

  constructor(
    private readonly flows: ExitFlows,
    private readonly versions: FlowLookup,
    private readonly declarations: DeclarationsService,
    private readonly config: Config,
  ) {}

  async form(slug: string, kind: unknown, { language }: ExitRequest): Promise<ExitPage> {
    const flow = await this.flows.find(slug);
    if (!isOpen(flow)) return this.nothingHere(flow, language);
    return { status: 200, flow, body: formPage({ flow, language, kind: kindOf(kind, flow), typed: {} }) };
  }

  /** Declares what was sent. What can't be stored stays on the page. */
  async declare(slug: string, asked: unknown, sent: Sent, { address, language }: ExitRequest): Promise<ExitPage> {
    const flow = await this.flows.find(slug);
    if (!isOpen(flow)) return this.nothingHere(flow, language);
    const kind = kindOf(asked, flow);
    const typed = Object.fromEntries(
      FORM_FIELDS.flatMap((field) => (typeof sent[field] === 'string' ? [[field, sent[field]]] : [])),
    ) as FormView['typed'];
    const view = { flow, language, kind, typed };
    const words = EXIT_WORDS[language];
    // The team has changed what the page offers: nobody terminates who meant to withdraw.
    if (asked !== undefined && asked !== kind)
      return { status: 400, flow, body: formPage({ ...view, failure: words.faulty }) };
    try {
      const declaration = this.read(kind, typed);
      const circumstances = {
        address,
        isProgram: false,
        language,
        shown: shownWords(language, kind, flow.product_name),
      };
      const stored = this.declarations.declare(flow.workspace_id, flow, declaration, circumstances);
      const { receipt_key } = await inTime(stored);
      return { status: 303, flow, location: `${encodeURIComponent(slug)}/receipt/${receipt_key}?lang=${language}` };
    } catch (error) {
      const problem = error instanceof Problem ? error : problemOfPostgres(error);
      if (!problem) this.logger.error(error);
      if (problem?.code === 'invalid_request') {
        return { status: 400, flow, body: formPage({ ...view, faults: faultsOf(problem.fields, typed, words) }) };
      }
      const retryAfter = Number(problem?.headers['retry-after'] ?? 60);
      const isTooMany = problem?.code === 'too_many_requests';
      const failure = isTooMany ? filled(words.tooMany, { minutes: Math.ceil(retryAfter / 60) }) : words.unavailable;
      return { status: isTooMany ? 429 : 503, flow, body: formPage({ ...view, failure }), retryAfter };
    }
  }

  /** @param file the key of a receipt, with `.txt` or `.html` behind it for a file */
  async receipt(slug: string, file: string, { language }: ExitRequest): Promise<ExitPage> {
    const flow = await this.flows.find(slug);
    const [, key, type] = /^([\w-]+)(?:\.(txt|html))?$/.exec(file) ?? [];
    const found = flow && key && (await this.declarations.byReceipt(flow.workspace_id, key));
    if (!found || found.flow_id !== flow.flow_id) return this.nothingHere(undefined, language);
    const { product_name } = await this.versions.version(found);
    const receipt = receiptOf(found, product_name);
    const name = `${found.number}.${type}`;
    if (type === 'txt') return { status: 200, body: textOfReceipt(receipt), file: name };
    if (type === 'html') return { status: 200, body: htmlOfReceipt(receipt, flow), file: name };
    const body = pageOf(receipt.subject, receipt.language, flow, `${partOfReceipt(receipt)}\n${this.filesOf(found)}`);
    return { status: 200, flow, body };
  }

  /**
   * The page on which whoever reads the mails of an address says that they declared. Opening it changes nothing:
   * programs open the links of mails, too.
   *
   * @param key those of the receipt and of the mail, with a point between them
   */
  async confirmation(slug: string, key: string, { language }: ExitRequest, isPressed: boolean): Promise<ExitPage> {
    const flow = await this.flows.find(slug);
    const [receiptKey, confirmationKey] = key.split('.');
    const found = flow && (await this.declarations.byReceipt(flow.workspace_id, receiptKey));
    const isOwn = found && found.flow_id === flow.flow_id && found.confirmation_key === confirmationKey;
    if (!isOwn) return this.nothingHere(undefined, language);
    if (isPressed) await this.declarations.confirm(found.workspace_id, found.id);
    const { receipt } = EXIT_WORDS[found.language];
    const { title, rows } = receiptOf(found, (await this.versions.version(found)).product_name);
    const about = `<h1>${escaped(receipt.wasItYou)}</h1>\n<p>${escaped(`${title} (${rows[0].text})`)}</p>`;
    const done = isPressed || found.confirmed_at !== null;
    const main = done
      ? `<p role="status">${escaped(receipt.confirmed)}</p>`
      : `<p>${escaped(receipt.confirmHint)}</p>\n<form method="post"><button>${escaped(receipt.itWasMe)}</button></form>`;
    return { status: 200, flow, body: pageOf(receipt.wasItYou, found.language, flow, `${about}\n${main}`) };
  }

  /** The page of a flow that customers could ever see. If they can't any more, the widget lets them go. */
  async leave(slug: string, query: LeaveQuery, { language }: ExitRequest): Promise<ExitPage> {
    const flow = await this.flows.find(slug);
    if (!flow?.was_published) return this.nothingHere(undefined, language);
    return { status: 200, flow, body: leavePage(flow, language, query), hasWidget: true };
  }

  /** A failure before the flow was found, or before what was sent was read. */
  failed(error: unknown, { language }: ExitRequest): ExitPage {
    const problem = error instanceof Problem ? error : problemOfPostgres(error);
    const words = EXIT_WORDS[language];
    const retryAfter = Number(problem?.headers['retry-after'] ?? 60);
    const isTooMany = problem?.status === 429;
    const text = isTooMany ? filled(words.tooMany, { minutes: Math.ceil(retryAfter / 60) }) : words.unavailable;
    const status = problem?.status ?? (error as { statusCode?: number }).statusCode ?? 500;
    if (status === 500) this.logger.error(error);
    return { status, body: pageOf(text, language, undefined, `<p role="alert">${escaped(text)}</p>`), retryAfter };
  }

  /** A flow that customers could ever see still names the way out. */
  private nothingHere(flow: ExitFlow | undefined, language: ExitRequest['language']): ExitPage {
    const words = EXIT_WORDS[language];
    const ways = flow?.was_published ? otherWays(flow, words) : '';
    const main = `<h1>${escaped(words.notFound)}</h1>\n${ways}`;
    return { status: 404, body: pageOf(words.notFound, language, undefined, main) };
  }

  private filesOf({ receipt_key, language, email }: Declaration): string {
    const { receipt } = EXIT_WORDS[language];
    const mailed = this.config.sendsMails ? `<p>${escaped(filled(receipt.alsoByMail, { email: email! }))}</p>\n` : '';
    return `${mailed}<ul>
<li><a href="${receipt_key}.txt" download>${escaped(receipt.asText)}</a></li>
<li><a href="${receipt_key}.html" download>${escaped(receipt.asHtml)}</a></li>
</ul>`;
  }

  /** The typed fields as a declaration, by the rules of the interface. Empty fields count as not sent. Throws a 400. */
  private read(kind: DeclarationKind, { trap, ...typed }: FormView['typed']): DeclareDto {
    if (trap) throw Problem.invalid([{ pointer: '/trap', message: 'must be empty' }]);
    const { name, contract, email, termination, reason, when } = typed;
    const filled = Object.entries({
      name,
      contract,
      email: email?.trim(),
      ...(kind === 'termination' && { termination, reason, when }),
    }).filter(([, text]) => text);
    return this.pipe.transform(
      { kind, ...Object.fromEntries(filled) },
      { type: 'body', metatype: DeclareDto },
    ) as DeclareDto;
  }
}

/** The kind that is asked for, or the flow's first. */
function kindOf(asked: unknown, { exit: { kinds } }: OpenExitFlow): DeclarationKind {
  return kinds.find((kind) => kind === asked) ?? kinds[0];
}

function faultsOf(errors: FieldError[], typed: FormView['typed'], words: ExitWords): FormView['faults'] {
  const faultOf = (field: FormField) => {
    if (field === 'trap') return words.mustBeEmpty;
    if (!typed[field]?.trim()) return words.missing;
    return field === 'email' ? words.noEmail : words.tooLong;
  };
  const fields = errors.map(({ pointer }) => pointer.slice(1) as FormField);
  return Object.fromEntries(fields.map((field) => [field, faultOf(field)]));
}

/** The work may still succeed: then the same again finds it. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  const controller = new AbortController();
  const late = pause(PATIENCE_MS, undefined, { signal: controller.signal, ref: false }).then(() => {
    throw new Problem('service_unavailable');
  });
  // Nothing else handles it once the work is done.
  late.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    controller.abort();
    work.catch(() => undefined);
  }
}
