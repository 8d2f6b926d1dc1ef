import { domainToASCII } from 'node:url';
import { Injectable } from '@nestjs/common';
import { createTransport, type NodemailerError, type Transporter } from 'nodemailer';
import { Config, type MailSettings } from '../../settings/config';
import type { MailMessage } from './layout';

/** The longest silence of the server, in milliseconds. */
const SILENCE_MS = 10_000;

export interface Mail extends MailMessage {
  /** Its Message-ID without the domain. */
  id: string;
  to: string;
  /** undefined: MAIL_FROM. */
  from?: string;
  /** undefined: when it is sent. */
  date?: Date;
}

/** Why the server has not taken a mail. */
export interface MailFailure {
  /** Whether another attempt would fail as well. */
  isFinal: boolean;
  /** Codes of SMTP and of the system, and no text: a server may quote what it was sent. */
  error: string;
}

/** Sends mails, each over a connection of its own. */
@Injectable()
export class Mailer {
  /** Undefined without a mail server, and where nothing is sent. */
  private readonly smtp?: Transporter;
  /** The domain of the sender's address. */
  private readonly domain: string;

  constructor({ mail, sendNothing }: Config) {
    if (!mail || sendNothing) return;
    this.smtp = connectionTo(mail);
    this.domain = domainToASCII(mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1));
  }

  get isOn(): boolean {
    return this.smtp !== undefined;
  }

  /**
   * Makes one attempt. Returns undefined once the server has taken the mail. A mail that is cut off may have been sent
   * all the same.
   */
  async send({ id, to, from, date, ...message }: Mail, signal: AbortSignal): Promise<MailFailure | undefined> {
    try {
      await this.smtp!.sendMail({
        to: { name: '', address: to },
        messageId: `<${id}@${this.domain}>`,
        ...(date && { date }),
        ...(from && { from }),
        ...message,
        signal,
      });
      return undefined;
    } catch (error) {
      return failureOf(error as NodemailerError);
    }
  }
}

function connectionTo({ smtpUrl, from }: MailSettings): Transporter {
  return createTransport(
    {
      url: smtpUrl,
      dnsTimeout: SILENCE_MS,
      connectionTimeout: SILENCE_MS,
      greetingTimeout: SILENCE_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, headers: { 'Auto-Submitted': 'auto-generated' }, xMailer: false },
  );
}

/**
 * A mail has failed for good if the server refuses it so (5xx, RFC 5321) or its address can't be used. Errors of the
 * connection and of the login may be over at the next attempt.
 */
function failureOf({ code, command, response, originalCode, permanent }: NodemailerError): MailFailure {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reply = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response ?? '')?.[0].replace('-', ' ');
  const error = [command, reply ?? originalCode ?? code ?? 'unknown error'].filter(Boolean).join(': ');
  return { isFinal: isAboutMail && permanent !== false, error };
}
