-- What is shown of a picture until its thumbnail is there; what has none yet lacks the larger thumbnails, too.
ALTER TABLE "media_files" ADD COLUMN "placeholder" TEXT;
ALTER TABLE "media_files" ADD CONSTRAINT "media_files_placeholder_check" CHECK (char_length(placeholder) <= 36) NOT VALID;
