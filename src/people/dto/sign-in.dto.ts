import { True } from '../../platform/api/fields/shown';
import { ApiProperty, IntersectionType, PickType } from '@nestjs/swagger';
import { ApiExamples } from '../../platform/api/fields/api-examples';
import { EmailField, TextField, WordsField } from '../../platform/api/fields/fields';
import { MAX_PASSWORD } from '../sign-in/passwords';
import type { SignedIn } from '../sign-in/person-sessions.service';
import { AcceptInvitationDto, TokenDto } from './invitation.dto';
import { PersonDto } from './person.dto';

const TOKEN = '0'.repeat(43);
const PASSWORD = 'correct horse battery';

/** A new password. */
export class PasswordDto {
  @TextField({ description: 'The new password: at least 12 characters.', example: PASSWORD, max: MAX_PASSWORD })
  password: string;
}

export class SignInDto {
  @EmailField({ description: 'The address of the person.', example: 'ada@acme.example' })
  email: string;

  @TextField({ description: 'The password.', example: PASSWORD, max: MAX_PASSWORD })
  password: string;
}

export class SetUpDto extends IntersectionType(TokenDto, PasswordDto) {
  @EmailField({ description: 'The address of the first person.', example: 'ada@acme.example' })
  email: string;

  @WordsField({ description: 'The name of the first person.', example: 'Ada Lovelace', max: 200 })
  name: string;

  @TextField({
    description:
      'The name of the first workspace. Without it, one that is there keeps its name, and a new one is "My workspace".',
    example: 'Acme',
    max: 200,
    optional: true,
  })
  workspace_name?: string;
}

export class SetPasswordDto extends IntersectionType(TokenDto, PasswordDto) {}

export const ApiSignIn = () => ApiExamples(SignInDto, { password: { email: 'ada@acme.example', password: PASSWORD } });
export const ApiSetUp = () =>
  ApiExamples(SetUpDto, {
    'the first person': {
      token: TOKEN,
      email: 'ada@acme.example',
      name: 'Ada Lovelace',
      password: PASSWORD,
      workspace_name: 'Acme',
    },
  });
export const ApiToken = () => ApiExamples(TokenDto, { token: { token: TOKEN } });
export const ApiAcceptance = () =>
  ApiExamples(AcceptInvitationDto, {
    'a new person': { token: TOKEN, name: 'Grace Hopper', password: PASSWORD },
    'a known person': { token: TOKEN, password: PASSWORD },
  });
export const ApiNewPassword = () =>
  ApiExamples(SetPasswordDto, { 'new password': { token: TOKEN, password: PASSWORD } });

/** How people can sign in here. */
export class WaysToSignInDto {
  @ApiProperty({ example: true, description: 'Whether people sign in with e-mail and password.' })
  password: boolean;

  @ApiProperty({ example: false, description: 'Whether people sign in with OpenID Connect.' })
  openid: boolean;
}

/** Who is signed in now. The response sets the cookie of the session. */
export class SignedInDto extends PickType(PersonDto, ['id', 'name', 'email']) {
  static of({ person: { id, name, email } }: SignedIn): SignedInDto {
    return { id, name, email };
  }
}

export class SignedOutDto {
  @True()
  signed_out: true;
}
