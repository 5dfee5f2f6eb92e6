export { type FileType, fileTypeOf } from './file-type.js';
export { postScriptNameOf } from './font-name.js';
export { type ConvertedImage, convertImage, type ImageFile, NoConverter, UnusableImage } from './images.js';
