import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { EntityManager } from 'typeorm';
import { Config } from '../../config';
import { type Count, createCount } from '../../http/rate-limits';
import { clipped, type MailContent, oneLine, section, utc } from '../../mail/content';
import { messageOf } from '../../mail/layout';
import { Mailer } from '../../mail/mailer';
import type { Actor } from '../actor';
import { WorkspacesService } from '../workspaces.service';
import type { CreatedInvitationDto } from './dto/invitation.dto';
import { Person } from './person.entity';

const WINDOW_SECONDS = 60 * 60;
/** The most mails of a workspace within an hour, in all and to one address: anybody can be invited again and again. */
const OF_WORKSPACE = 50;
const TO_ADDRESS = 5;
/** The longest that a mail may take, in milliseconds: the request that waits for it has to be answered. */
const MAIL_MS = 5000;

/** Mails invitations to those whom they are for. */
@Injectable()
export class InvitationMails {
  private readonly logger = new Logger(InvitationMails.name);
  private readonly ofWorkspace: Count;
  private readonly toAddress: Count;

  constructor(
    { httpAdapter }: HttpAdapterHost<FastifyAdapter>,
    private readonly config: Config,
    private readonly manager: EntityManager,
    private readonly workspaces: WorkspacesService,
    private readonly mailer: Mailer,
  ) {
    const fastify = httpAdapter.getInstance<FastifyInstance>();
    this.ofWorkspace = createCount(fastify, 'invitation-workspace', WINDOW_SECONDS);
    this.toAddress = createCount(fastify, 'invitation-address', WINDOW_SECONDS);
  }

  /** Makes one attempt, because whoever invites has the link, too. Returns whether the mail server has taken the mail. */
  async send(workspaceId: string, invitation: CreatedInvitationDto, { type, id }: Actor): Promise<boolean> {
    // Without PUBLIC_URL, whoever invites chooses where the link leads: by the host that they send the request to.
    if (!this.mailer.isOn || !this.config.publicUrl) return false;
    if (!(await this.hasRoom(workspaceId, invitation.email))) return false;
    const { name } = await this.workspaces.get(workspaceId);
    const inviter = type === 'person' ? await this.manager.findOneBy(Person, { id: id! }) : null;
    const mail = { ...messageOf(contentOf(name, invitation, inviter)), id: invitation.id, to: invitation.email };
    const failure = await this.mailer.send(mail, AbortSignal.timeout(MAIL_MS));
    if (failure) this.logger.warn(`Invitation ${invitation.id}: ${failure.error}`);
    return !failure;
  }

  /** What an address may not get is not taken from the workspace. */
  private async hasRoom(workspaceId: string, email: string): Promise<boolean> {
    if ((await this.toAddress(`${workspaceId}:${email}`, 1)).current > TO_ADDRESS) return false;
    return (await this.ofWorkspace(workspaceId, 1)).current <= OF_WORKSPACE;
  }
}

function contentOf(workspace: string, invitation: CreatedInvitationDto, inviter: Person | null): MailContent {
  const { role, link, expires_at } = invitation;
  return {
    subject: `Invitation: ${clipped(workspace)}`,
    kind: 'invitation',
    title: oneLine(workspace),
    lead: 'You are invited to this workspace of Retention Flow.',
    sections: [
      ...(inviter ? [section('Invited by', inviter.name, inviter.email)] : []),
      section('Role', role),
      { label: 'Join', lines: [{ text: link, isLink: true }] },
      section('The link works once, until', utc(expires_at)),
    ],
    note: 'If you did not expect this mail, ignore it.',
  };
}
