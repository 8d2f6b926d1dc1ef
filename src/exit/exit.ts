import { Injectable } from '@nestjs/common';
import { Config } from '../settings/config';
import { DeclarationsService } from './declarations.service';
import { DeclaredDto, type DeclareDto } from './dto/declare.dto';
import { ExitFlows } from './exit-flows.service';
import type { ExitRequest } from './exit-request';

/** The exit page as an interface, for pages of the workspace's own. */
@Injectable()
export class Exit {
  constructor(
    private readonly flows: ExitFlows,
    private readonly declarations: DeclarationsService,
    private readonly config: Config,
  ) {}

  async declare(slug: string, body: DeclareDto, { address, base, language }: ExitRequest): Promise<DeclaredDto> {
    const flow = await this.flows.open(slug);
    const sender = { address, proof: body.proof, isProgram: true };
    const circumstances = { ...sender, language, shown: null };
    const declaration = await this.declarations.declare(flow.workspace_id, flow, body, circumstances);
    return DeclaredDto.of(declaration, `${this.config.publicUrl ?? base}/exit/${flow.slug}`);
  }
}
