/** What a picture's file has in it. */
export interface Content {
  /** The width of the stored pixels. */
  width: number;
  height: number;
  /** Which way up it is shown (CIPA DC-008, 4.6.5): 2 to 8; undefined: as it is stored. */
  orientation?: number;
  /**
   * The file again, without what is not needed to show it: where and when a photo was taken, by which camera, previews,
   * texts.
   */
  content: Buffer;
}
