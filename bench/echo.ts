import { randomUUID } from 'node:crypto';
import { Body, Controller, type DynamicModule, Module, Post } from '@nestjs/common';
import { APP_FILTER, APP_PIPE } from '@nestjs/core';
import { createHttpApp } from '../src/app';
import { ProblemFilter } from '../src/http/problem.filter';
import { createValidationPipe } from '../src/common/validation';
import { Config } from '../src/config';
import { composeDefinition } from '../src/flows/flow-definition';
import { InitSessionDto, StartedSessionDto } from '../src/runtime/dto/init-session.dto';
import { StartHeaders } from '../src/runtime/start-headers';

const { key, type, config } = composeDefinition('Acme Pro', []).nodes[0];

const ANSWER: StartedSessionDto = {
  session_id: randomUUID(),
  flow: {
    name: 'Leaving Acme Pro',
    branding: { primary_color: '#4f46e5', logo_url: '' },
    entry_node: { key, type, config },
  },
};

@Controller('api/v1/runtime/session')
class EchoController {
  @Post('init')
  init(@Body() _body: InitSessionDto, @StartHeaders() _headers: StartHeaders): Promise<StartedSessionDto> {
    return Promise.resolve(ANSWER);
  }
}

@Module({
  controllers: [EchoController],
  providers: [
    { provide: APP_FILTER, useClass: ProblemFilter },
    { provide: APP_PIPE, useFactory: createValidationPipe },
  ],
})
class EchoModule {}

/**
 * The service's HTTP, validation included, around an answer that is always the same and needs no database: the
 * ceiling of what a start could reach on this stack.
 */
async function main(): Promise<void> {
  const module: DynamicModule = { module: EchoModule };
  const app = await createHttpApp(module, Config.fromEnv(process.env));
  await app.listen(0, '127.0.0.1');
  console.log(await app.getUrl());
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
