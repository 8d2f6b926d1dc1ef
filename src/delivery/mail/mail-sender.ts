import { domainToASCII } from 'node:url';
import { Injectable } from '@nestjs/common';
import { createTransport, type NodemailerError, type Transporter } from 'nodemailer';
import { Config } from '../../config';

/** The longest silence of the server, in milliseconds. */
const SILENCE_MS = 10_000;
/** The longest that a mail may take, however slowly the server talks: less than its lease. */
const MAIL_MS = 50_000;

/** A mail without its sender. */
export interface Mail {
  /** The local part of the Message-ID: the same in every attempt, so that mailboxes can tell a mail that comes twice. */
  id: string;
  to: string;
  date: Date;
  subject: string;
  text: string;
  html: string;
}

export interface MailResult {
  result: 'sent' | 'retried' | 'failed';
  /** Codes of SMTP and of the system, and no text: a server may quote what it was sent. */
  error?: string;
}

/** Hands mails to the SMTP server. */
@Injectable()
export class MailSender {
  readonly isConfigured: boolean;
  private readonly transport?: Transporter;
  private readonly domain: string;

  constructor({ mail }: Config) {
    this.isConfigured = mail !== undefined;
    if (!mail) return;
    this.domain = domainToASCII(mail.from.address.slice(mail.from.address.lastIndexOf('@') + 1));
    this.transport = createTransport(
      {
        url: mail.smtpUrl,
        dnsTimeout: SILENCE_MS,
        connectionTimeout: SILENCE_MS,
        greetingTimeout: SILENCE_MS,
        socketTimeout: SILENCE_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      },
      { from: mail.from, headers: { 'Auto-Submitted': 'auto-generated' }, xMailer: false },
    );
  }

  /** Sends a mail, unless it is aborted. A mail that is aborted may have been sent all the same. */
  async send({ id, to, ...mail }: Mail, abort: AbortSignal): Promise<MailResult> {
    try {
      await this.transport!.sendMail({
        ...mail,
        to: { name: '', address: to },
        messageId: `<${id}@${this.domain}>`,
        signal: AbortSignal.any([abort, AbortSignal.timeout(MAIL_MS)]),
      });
      return { result: 'sent' };
    } catch (error) {
      return resultOf(error as NodemailerError);
    }
  }
}

/**
 * A mail has failed if the server refuses it for good (5xx, RFC 5321) or its address can't be used. Errors of the connection and
 * of the login may be over at the next attempt.
 */
function resultOf({ code, command, response, originalCode, permanent }: NodemailerError): MailResult {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE';
  const reply = /^\d{3}(?:[ -]\d\.\d{1,3}\.\d{1,3}\b)?/.exec(response ?? '')?.[0].replace('-', ' ');
  return {
    result: isAboutMail && permanent !== false ? 'failed' : 'retried',
    error: [command, reply ?? originalCode ?? code ?? 'unknown error'].filter(Boolean).join(': '),
  };
}
