import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { WorkspacesModule } from '../workspaces/workspaces.module';
import { ImageStripping } from './image-stripping';
import { ImageUses } from './image-uses';
import { Image } from './image.entity';
import { ImagesController } from './images.controller';
import { ImagesService } from './images.service';
import { ServedImages } from './served-images';

/** Pictures that pages and offers show: those that were uploaded, and which others they may show. */
@Module({
  imports: [TypeOrmModule.forFeature([Image]), WorkspacesModule],
  controllers: [ImagesController],
  providers: [ImagesService, ImageUses, ImageStripping, ServedImages],
  exports: [ImagesService, ImageUses, ServedImages],
})
export class ImagesModule {}
