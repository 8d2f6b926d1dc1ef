import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ImageStripping } from './image-stripping';
import { ImageUses } from './image-uses';
import { Image } from './image.entity';
import { ImagesController } from './images.controller';
import { ImagesService } from './images.service';
import { serveImages } from './serve-images';
import { ServedImages } from './served-images';

/** Pictures that pages and offers show: those that were uploaded, and which others they may show. */
@Module({
  imports: [TypeOrmModule.forFeature([Image]), WorkspacesModule],
  controllers: [ImagesController],
  providers: [ImagesService, ImageUses, ImageStripping, ServedImages],
  exports: [ImagesService, ImageUses],
})
export class ImagesModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly images: ServedImages,
  ) {}

  onModuleInit(): void {
    serveImages(this.host.httpAdapter.getInstance(), this.images);
  }
}
