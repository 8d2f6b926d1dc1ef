import { Injectable } from '@nestjs/common';
import { Problem } from '../platform/api/problems/problem';
import { Config } from '../settings/config';
import { type Count, RateLimits } from '../platform/http/limits/rate-limits';
import { challengeOf, isProof } from './proof-of-work';

const WINDOW_SECONDS = 60 * 60;
/** How many addresses may declare as much as one may, at one flow, before all programs have to work for it. */
const ADDRESSES_OF_FLOW = 50;

/** The address that sends a declaration, and what it worked for it. */
export interface Sender {
  address: string;
  /** The sender's proof of work; undefined on the page, which asks for none. */
  proof?: string;
  /** Whether the sender can work for it. */
  isProgram: boolean;
}

/**
 * Limits how much an address declares, so that a flood leaves room for others. The page of a flow is never closed by
 * what others declare.
 */
@Injectable()
export class DeclarationLimits {
  private readonly ofAddress: Count;
  private readonly ofFlow: Count;
  private readonly most: number;

  constructor(limits: RateLimits, { declarationsPerHour }: Config) {
    this.ofAddress = limits.counting('exit-address', WINDOW_SECONDS);
    this.ofFlow = limits.counting('exit-flow', WINDOW_SECONDS);
    this.most = declarationsPerHour;
  }

  /**
   * Throws a 429 if the address has had its share. A program may go on by working for it, and has to while the flow is
   * flooded.
   */
  async admit(flowId: string, contentHash: Buffer, { address, proof, isProgram }: Sender): Promise<void> {
    if (this.most === 0) return;
    const byAddress = await this.ofAddress(address, 1);
    const isShareUsed = byAddress.current > this.most;
    if (!isProgram) {
      if (isShareUsed) throw tooMany(byAddress.ttl);
      return;
    }
    if (isShareUsed) requireProof(contentHash, proof);
    // Refused by its address, a declaration does not count for the flow.
    const byFlow = await this.ofFlow(flowId, 1);
    if (byFlow.current > this.most * ADDRESSES_OF_FLOW) requireProof(contentHash, proof);
  }
}

function requireProof(contentHash: Buffer, proof?: string): void {
  const challenge = challengeOf(contentHash);
  if (proof === undefined || !isProof(challenge, proof)) throw new Problem('proof_required', { challenge });
}

function tooMany(ttl: number): Problem {
  return new Problem('too_many_requests').after(Math.max(1, Math.ceil(ttl / 1000)));
}
