import { Injectable } from '@nestjs/common';
import { requestHashOf } from '../../common/idempotent-request';
import { newSessionId } from '../../common/ids';
import { Problem } from '../../common/problem';
import { FlowLookup } from '../../flows/flow-lookup.service';
import { CustomerTokens } from '../../workspaces/customer-tokens.service';
import { WorkspaceCodes } from '../../workspaces/workspace-codes.service';
import type { Admitted, Start } from './admission-rules';
import { AdmissionService } from './admission.service';
import { customerOf, type InitSessionDto } from './start.dto';
import type { StartHeaders } from './start-headers';
import { StartResults } from './start-results';

type Identity = Pick<Start, 'customer' | 'signed_by'>;

/** Starts sessions: from a slug to the first node. */
@Injectable()
export class StartsService {
  constructor(
    private readonly codes: WorkspaceCodes,
    private readonly flows: FlowLookup,
    private readonly tokens: CustomerTokens,
    private readonly admission: AdmissionService,
    private readonly results: StartResults,
  ) {}

  /**
   * Starts a session on the current version of a published flow and counts it, both or neither.
   *
   * @param workspaceId the workspace that the slug belongs to; undefined when no flow has it
   */
  async start(workspaceId: string | undefined, request: InitSessionDto, headers: StartHeaders): Promise<Admitted> {
    try {
      if (workspaceId === undefined) throw new Problem('flow_not_found');
      const session_id = newSessionId(await this.codes.codeOf(workspaceId));
      const admitted = await this.admit(workspaceId, session_id, request, headers);
      this.results.count(admitted.session_id === session_id ? 'started' : 'repeated');
      return admitted;
    } catch (error) {
      this.results.countFailure(error);
      throw error;
    }
  }

  private async admit(
    workspaceId: string,
    session_id: string,
    request: InitSessionDto,
    { origin, idempotencyKey }: StartHeaders,
  ): Promise<Admitted> {
    const flow = await this.flows.slug(request.flow_slug);
    if (!flow) throw new Problem('flow_not_found');
    const identity = await this.identityOf(workspaceId, request);
    return this.admission.admit({
      workspace_id: workspaceId,
      session_id,
      flow_id: flow.flow_id,
      ...identity,
      origin,
      idempotency: idempotencyKey
        ? { key: idempotencyKey, request_hash: hashOf(request.flow_slug, identity) }
        : undefined,
    });
  }

  /** The customer, as the page or a token says. A token that is not good is refused together with the other starts. */
  private async identityOf(
    workspaceId: string,
    { flow_slug, customer, customer_token }: InitSessionDto,
  ): Promise<Identity> {
    if (customer_token === undefined) return { customer };
    const claims = await this.tokens.verify(workspaceId, customer_token);
    const isForFlow = claims?.flow === undefined || claims.flow === flow_slug;
    const signed = claims && isForFlow ? customerOf(claims) : undefined;
    return signed ? { customer: signed, signed_by: claims!.key_id } : { signed_by: null };
  }
}

/** Of what is asked for, not of a token's text: a page that is reloaded sends the same key with a new token. */
function hashOf(flow_slug: string, { customer, signed_by }: Identity): Buffer {
  return requestHashOf({ flow_slug, customer, is_signed: signed_by !== undefined });
}
