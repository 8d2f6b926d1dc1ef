import { ApiProperty } from '@nestjs/swagger';

export class AliveDto {
  @ApiProperty({ enum: ['alive'], type: 'string' })
  status: 'alive';
}

export class ReadyDto {
  @ApiProperty({ enum: ['ready'], type: 'string' })
  status: 'ready';
}
