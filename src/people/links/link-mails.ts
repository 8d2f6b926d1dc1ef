import { Injectable, Logger } from '@nestjs/common';
import { EntityManager } from 'typeorm';
import { Config } from '../../settings/config';
import { type Count, RateLimits } from '../../platform/http/limits/rate-limits';
import { clipped, type MailContent, oneLine, section, utc } from '../../platform/mail/content';
import { messageOf } from '../../platform/mail/layout';
import { Mailer } from '../../platform/mail/mailer';
import type { Actor } from '../../tenancy/access/actor';
import type { Role } from '../../tenancy/access/role';
import { WorkspacesService } from '../../workspaces/workspaces.service';
import { Person } from '../person.entity';

const WINDOW_SECONDS = 60 * 60;
/** The most mails of a workspace within an hour, in all and to one address: anybody can be invited again and again. */
const OF_WORKSPACE = 50;
const TO_ADDRESS = 5;
/** The longest that a mail may take, in milliseconds: the request that waits for it has to be answered. */
const MAIL_MS = 5000;

/** A link for a person. */
interface MailedLink {
  /** The id of the mail. */
  id: string;
  email: string;
  link: string;
  /** ISO 8601. */
  expires_at: string;
  /** The role that an invitation offers; a link that sets a password has none. */
  role?: Role;
}

/** Mails links to the people they are for. */
@Injectable()
export class LinkMails {
  private readonly logger = new Logger(LinkMails.name);
  private readonly ofWorkspace: Count;
  private readonly toAddress: Count;

  constructor(
    limits: RateLimits,
    private readonly config: Config,
    private readonly manager: EntityManager,
    private readonly workspaces: WorkspacesService,
    private readonly mailer: Mailer,
  ) {
    this.ofWorkspace = limits.counting('link-workspace', WINDOW_SECONDS);
    this.toAddress = limits.counting('link-address', WINDOW_SECONDS);
  }

  /**
   * Whether links are mailed. Without PUBLIC_URL they are not: whoever asks for one would choose where it leads, by the
   * host of the request.
   */
  get isOn(): boolean {
    return this.mailer.isOn && this.config.publicUrl !== undefined;
  }

  /** Makes one attempt. Returns whether the mail server has taken the mail. */
  async send(workspaceId: string, mailed: MailedLink, { type, id }: Actor): Promise<boolean> {
    if (!this.isOn || !(await this.hasRoom(workspaceId, mailed.email))) return false;
    const { name } = await this.workspaces.get(workspaceId);
    const sender = type === 'person' ? await this.manager.findOneBy(Person, { id: id! }) : null;
    const mail = { ...messageOf(contentOf(name, mailed, sender)), id: mailed.id, to: mailed.email };
    const failure = await this.mailer.send(mail, AbortSignal.timeout(MAIL_MS));
    if (failure) this.logger.warn(`The mail of the link ${mailed.id}: ${failure.error}`);
    return !failure;
  }

  /** A mail that its address may not get does not count against the workspace. */
  private async hasRoom(workspaceId: string, email: string): Promise<boolean> {
    if ((await this.toAddress(`${workspaceId}:${email}`, 1)).current > TO_ADDRESS) return false;
    return (await this.ofWorkspace(workspaceId, 1)).current <= OF_WORKSPACE;
  }
}

function contentOf(workspace: string, { role, link, expires_at }: MailedLink, sender: Person | null): MailContent {
  const by = (label: string) => (sender ? [section(label, sender.name, sender.email)] : []);
  const end = section('The link works once, until', utc(expires_at));
  const note = 'If you did not expect this mail, ignore it.';
  if (!role) {
    return {
      subject: `New password: ${clipped(workspace)}`,
      kind: 'password',
      title: oneLine(workspace),
      lead: 'Choose a new password for Retention Flow. The old one works until then.',
      sections: [...by('Asked for by'), { label: 'Choose', lines: [{ text: link, isLink: true }] }, end],
      note,
    };
  }
  return {
    subject: `Invitation: ${clipped(workspace)}`,
    kind: 'invitation',
    title: oneLine(workspace),
    lead: 'You are invited to this workspace of Retention Flow.',
    sections: [
      ...by('Invited by'),
      section('Role', role),
      { label: 'Join', lines: [{ text: link, isLink: true }] },
      end,
    ],
    note,
  };
}
