import { Body, Controller, Delete, Get, Post, Query, Res, UseGuards } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { DeletedDto } from '../platform/api/changed.dto';
import { WholePageQuery } from '../platform/api/paging/pagination';
import { PathId } from '../platform/api/path-id';
import { Problem } from '../platform/api/problems/problem';
import { ApiProblems } from '../platform/api/problems/problem.dto';
import { TakesFiles } from '../platform/http/bodies/file-body';
import { limitedByWorkspace } from '../platform/http/limits/rate-limit.guard';
import { LeastRole } from '../tenancy/access/api-key.guard';
import { InTurn } from '../tenancy/access/management-turns';
import { CurrentTenant } from '../tenancy/access/current-tenant';
import type { Tenant } from '../tenancy/work/tenant';
import { DeleteImageQuery, ImageListDto, UploadedImageDto } from './dto/image.dto';
import { IMAGE_TYPES, MAX_IMAGE_BYTES, MAX_IMAGE_SIDE, MAX_IMAGES, MAX_UPLOADS } from './image-limits';
import { ImagesService } from './images.service';

const PICTURE = `PNG, JPEG or WebP, at most ${MAX_IMAGE_BYTES.toLocaleString('en')} bytes, and at most ${MAX_IMAGE_SIDE} pixels wide and high.`;

/**
 * Uploads and deletions that go on would fill the write-ahead log: with so many, at most 160 MB a minute from a
 * workspace.
 */
const UploadLimit = limitedByWorkspace('uploads', MAX_UPLOADS);

@ApiTags('Images')
@Controller('api/v1/public/images')
export class ImagesController {
  constructor(private readonly images: ImagesService) {}

  @Get()
  @LeastRole('viewer')
  @InTurn()
  @ApiOperation({
    operationId: 'images_list',
    summary: 'List the pictures',
    description: 'All that were uploaded, newest first.',
  })
  @ApiOkResponse({ type: ImageListDto })
  async list(@CurrentTenant() tenant: Tenant, @Query() query: WholePageQuery): Promise<ImageListDto> {
    return ImageListDto.of(await this.images.list(tenant, query));
  }

  @Post()
  @LeastRole('editor')
  @TakesFiles()
  @UseGuards(UploadLimit)
  @ApiOperation({
    operationId: 'images_upload',
    summary: 'Upload a picture',
    description:
      `The body is the picture. Its \`url\` is what the \`image\` of a page or an offer takes. The same picture again is 200, with the ` +
      `same answer. A workspace has ${MAX_IMAGES} at most, and uploads at most ${MAX_UPLOADS} a minute. Anybody who has the URL can see it. ` +
      'Metadata, such as where a photo was taken, is left out of what is served.',
  })
  @ApiConsumes(...IMAGE_TYPES, 'application/octet-stream')
  @ApiBody({ description: PICTURE, schema: { type: 'string', format: 'binary', maxLength: MAX_IMAGE_BYTES } })
  @ApiCreatedResponse({ type: UploadedImageDto })
  @ApiOkResponse({ type: UploadedImageDto, description: 'Uploaded before' })
  @ApiProblems('image_limit_reached')
  async upload(
    @CurrentTenant() tenant: Tenant,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<UploadedImageDto> {
    if (!Buffer.isBuffer(body)) throw new Problem('unsupported_media_type');
    const { isNew, ...image } = await this.images.upload(tenant, body);
    reply.status(isNew ? 201 : 200);
    return image;
  }

  @Delete(':id')
  @LeastRole('editor')
  @ApiOperation({
    operationId: 'images_delete',
    summary: 'Delete a picture',
    description:
      'If a flow or an offer shows it, or its draft does, that is refused without `force`. The service stops serving it within 10 seconds; ' +
      'browsers and proxies that have a copy may keep it for a year.',
  })
  @ApiOkResponse({ type: DeletedDto })
  @ApiProblems('image_in_use')
  async delete(
    @CurrentTenant() tenant: Tenant,
    @PathId() id: string,
    @Query() { force }: DeleteImageQuery,
  ): Promise<DeletedDto> {
    await this.images.delete(tenant, id, force);
    return { deleted: true, id };
  }
}
